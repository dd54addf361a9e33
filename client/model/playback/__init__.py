"""The scene as it is shown: led after the true one, act by act. Needs no window; uses protocol/ and client/model/."""
