"""Words for acts, seats, dice, results and notices, made of the server's messages."""
