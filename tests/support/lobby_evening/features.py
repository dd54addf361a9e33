"""Features that the window offers in the lobby and around a match, in the order of an evening. Each feature begins with
all four in the lobby, and uses labels alone, so that it can be reached by mouse and by keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from tests.support.lobby_evening import (
    account_features as oneself,
    match_features as matches,
    order_features as order,
    people_features as people,
    table_features as tables,
)
from tests.support.lobby_evening.evening import Evening

FEATURES: Final[tuple[Callable[[Evening], Awaitable[None]], ...]] = (
    oneself.keep_a_name,
    oneself.change_a_name,
    oneself.save_own_data,
    oneself.be_told_elsewhere,
    people.talk_in_the_lobby,
    people.ask_for_friendship_at_a_line_and_take_it_back,
    people.ask_for_friendship_by_name_and_accept,
    people.hide_that_one_is_here,
    people.mute_and_block,
    people.report_a_line,
    order.read_a_report_mute_and_lift,
    order.announce_and_take_back,
    tables.open_a_table_and_join_it,
    tables.find_tables_by_words_and_filters,
    tables.move_to_an_open_seat,
    tables.change_places_by_agreement,
    tables.exchange_lock_and_open_seats_as_the_owner,
    tables.leave_a_table_and_come_back_to_a_seat_that_is_kept,
    tables.keep_a_seat_by_name_and_refuse_it,
    tables.set_a_date_promise_and_withdraw,
    tables.change_options_of_a_table,
    # one after the other, so that each evening has the one button by mouse and by keys
    tables.let_players_read_spectators,
    tables.keep_the_words_of_spectators_from_players,
    tables.keep_a_set_up_and_take_it,
    tables.guard_a_table_by_a_password_and_come_by_it,
    tables.copy_links_and_come_by_a_new_code,
    tables.remove_somebody_and_fill_with_bots,
    tables.leave_a_table_of_ones_own,
    order.close_a_table,
    matches.play_a_match_that_others_watch,
    matches.take_a_seat_over_by_agreement,
    matches.pass_a_seat_to_another_device,
    matches.play_to_the_result_and_save_the_replay,
    matches.look_at_results_leaders_and_a_replay,
    matches.look_at_the_matches_of_another,
    matches.come_back_to_a_result_and_play_again,
    matches.find_players_for_a_match_and_for_a_ranked_one,
    matches.begin_a_search_and_end_it,
    order.remove_and_rename_from_a_card,
    matches.learn_to_play_and_leave_the_lesson,
    oneself.delete_an_account,
    oneself.sign_out_everywhere_and_sign_in_by_name,
)
