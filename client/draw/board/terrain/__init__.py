"""The table's ground and terrain, painted by Pillow into one picture with one light, from the upper left.

Detail comes from generators seeded by the place, so that the same table always looks the same. `ground_worker` paints
beside the window.
"""
