"""The files of deploy/: read, checked by their own tools, and carried out."""
