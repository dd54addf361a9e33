"""Set-up, deployment, the edges of the table, and what scores."""
