"""The network side of the server: what connections are met with before anybody has said who they are."""
