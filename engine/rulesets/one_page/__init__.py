"""One Page Apocalypse: two players, armies for points that people build themselves."""
