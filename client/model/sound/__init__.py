"""Sounds: which one belongs to what happens, and how loud it is. Needs no window; uses protocol/, client/art,
client/storage, client/text and client/model/.
"""
