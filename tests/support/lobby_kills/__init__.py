"""People in a lobby whose server is killed again and again, and the check that all is there that they were told.

`visitor` is one of them, `choices` and the deeds what they do, `notes` and `ledger` what they were told, `standing`
what a store holds, `script` the kills.
"""
