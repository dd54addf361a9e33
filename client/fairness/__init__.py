"""Checks that the client makes itself, and the records that it keeps of them. No window.

dice_round_check   each dice round, while the match is played
table_check        the table that one is at: that check, with the receipts
finished_match_check, replay_check, receipts_check   a replay and its receipts, in a confined_process
verify             a replay, by a checker that stands alone; verify_command is `eschaton verify`
host_record        the matches of a host, as this program has seen them
"""
