"""Apocalypse: Earth: companies of the late twentieth century in centimetres, for two to six players."""
