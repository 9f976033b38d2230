"""Two apps in one lobby: a challenge is opened, seen, joined and played. Requests are made, choices stay hidden, and
players come back."""

from __future__ import annotations

from functools import partial

import msgspec
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.screens.people import PeopleScreen, WaitingScreen
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.app.screens.shared_play import SharedPlayScreen
from onlymove_tui.app.widgets.board_view import SmallBoard
from onlymove_tui.lobby.challenges import OpenChallenge
from onlymove_tui.lobby.presence import ALIVE_SECONDS
from onlymove_tui.lobby.shared_game import GRACE_SECONDS
from onlymove_tui.store.exchange import name_players
from onlymove_tui.store.settings import Bell
from textual._context import active_app

from tests.lobby.apps import Apps, Player, look, mark_line, play_move, press
from tests.lobby.lobbies import list_records, make_terms, open_lobby
from tests.tui.pilots import notice, settle, text


def moves(player: Player) -> list[object]:
    """Return the moves of the game as a player sees it."""
    screen = player[0].screen
    assert isinstance(screen, PlayScreen)
    return list(screen.live.session.list_moves())


async def test_a_shared_game_is_in_both_histories_with_the_opponents_name(apps: Apps) -> None:
    async with apps.player("ada") as ada, apps.player("bob") as bob:
        await apps.meet(ada, bob)
        assert "Left to move" in notice(ada[0])
        assert "Left to move: ada" in notice(bob[0])
        await play_move(ada, "L3", bob)
        await play_move(bob, "R4", ada)
        assert "You lose" in notice(ada[0])
        assert "You win" in notice(bob[0])
        assert " good" in text(bob[0]), "what the moves were worth is told afterwards"
    for name, other, own in (("ada", "bob", 0), ("bob", "ada", 1)):
        (entry,) = apps.stores[name].list()
        assert (entry.result, entry.own, entry.players[1 - own].name) == ("0-1", own, other)
        assert other in name_players(apps.stores[name].load(entry.number).session)
        assert apps.stores[name].progress.list_rated() == {}, "nothing between people is rated"


async def test_onlookers_cannot_move_and_values_are_hidden_until_the_end(
    apps: Apps,
) -> None:
    async with apps.player("ada", (200, 55)) as ada, apps.player("bob") as bob, apps.player("cat") as cat:
        await apps.meet(ada, bob)
        await press(ada, "ctrl+p", *"hands over")
        assert "hands over to" not in text(ada[0]), "nobody hands a side over"
        await press(ada, "escape")
        await apps.look_on(cat, "ada and bob")
        assert "Enter choose" not in text(cat[0])
        await press(cat, "enter", "1", "enter", "R", "R", "D", "D", "u", "y", "m", *"L1", "enter")
        await look(ada, bob, cat)
        assert moves(ada) == moves(bob) == moves(cat) == []
        await play_move(ada, "L1", bob, cat)
        for player in (ada, cat):
            await press(player, "h", "v", "w", "t", "o", "e", "n", "z")
            screen = player[0].screen
            assert isinstance(screen, PlayScreen), "no review before the end"
            assert not screen.state.values_shown
            assert all(node.values is None for node in screen.live.session.tree.nodes), "nobody even looks"
            assert not screen.live.training
        assert "Hidden until the game is over" in text(ada[0])
        await play_move(bob, "L2", ada, cat)
        await play_move(ada, "R4", bob, cat)
        for player, ending in ((bob, "You lose"), (cat, "Left wins")):
            assert ending in notice(player[0])
            await press(player, "e")
            assert isinstance(player[0].screen, ReviewScreen)
        assert not apps.stores["cat"].list()
        await press(cat, "q", "q")
        assert isinstance(cat[0].screen, MenuScreen)


async def test_an_undo_is_accepted_and_a_draw_is_declined_and_then_accepted(apps: Apps) -> None:
    async with apps.player("ada") as ada, apps.player("bob") as bob:
        await apps.meet(ada, bob)
        await play_move(ada, "L1", bob)
        await press(ada, "u")
        await look(ada, bob)
        assert "Your request has been sent" in notice(ada[0])
        assert moves(ada) == [("L", 1)]
        assert "ada asks to take back a move." in notice(bob[0])
        assert "y agree" in notice(bob[0])
        await press(bob, "y")
        await look(ada, bob)
        assert moves(ada) == moves(bob) == []
        await play_move(ada, "R2", bob)
        assert moves(bob) == [("R", 2)]
        await press(bob, "D", "D")
        await look(ada, bob)
        assert "bob offers a draw." in notice(ada[0])
        await press(ada, "n")
        await look(ada, bob)
        assert "declines" in notice(bob[0])
        await press(bob, "D", "D")
        await look(ada, bob)
        await press(ada, "y")
        await look(ada, bob)
        assert all("Drawn: draw agreed" in notice(app) for app, _ in (ada, bob))
        await look(ada, bob)
        for app, _ in (ada, bob):
            assert isinstance(app.screen, SharedPlayScreen)
            assert app.screen.looking is None, "nobody looks at the records of a game that is over"


async def test_a_player_who_leaves_comes_back_to_the_current_game(apps: Apps) -> None:
    async with apps.player("bob") as bob:
        async with apps.player("ada") as ada:
            await apps.meet(ada, bob)
            await play_move(ada, "L1", bob)
            await press(ada, "q")
            assert "Resume Two Heaps" in text(ada[0])
        await press(bob, "D", "D")
        assert "Your request has been sent" in notice(bob[0])
        apps.clock.now += 2 * ALIVE_SECONDS
        await look(bob)
        assert "ada is away" in notice(bob[0])
        await play_move(bob, "R1")
        async with apps.player("ada") as ada:
            await press(ada, "r")
            await look(ada, bob)
            assert moves(ada) == [("L", 1), ("R", 1)]
            assert "away" not in notice(bob[0])
            await play_move(ada, "R1", bob)
            assert moves(bob) == moves(ada)
    assert apps.stores["ada"].count() == 1, "one game, gone on with"


async def test_both_choose_in_secret_and_see_the_round_together(apps: Apps) -> None:
    async with apps.player("ada") as ada, apps.player("bob") as bob:
        await apps.meet(ada, bob, "Duel")
        await press(ada, "m", "a", "enter")
        await look(ada, bob)
        assert "Waiting for bob to choose" in notice(ada[0])
        assert "You have chosen." in notice(ada[0])
        assert moves(ada) == moves(bob) == []
        await press(bob, "m", "b", "enter")
        await look(ada, bob)
        assert moves(ada) == moves(bob) == [("a", "b")]


async def test_a_player_who_has_chosen_in_secret_is_not_told_to_have_chosen_nothing(apps: Apps) -> None:
    async with apps.player("ada") as ada, apps.player("bob") as bob:
        await apps.meet(ada, bob, "Duel")
        await press(ada, "m", "a", "enter")
        await look(ada, bob)
        await press(ada, "escape")
        await press(bob, "escape")
        assert "You have already chosen in this round." in notice(ada[0])
        assert "You have chosen nothing yet." in notice(bob[0])


async def test_a_waiting_choice_is_still_there_after_coming_back(apps: Apps) -> None:
    async with apps.player("bob") as bob:
        async with apps.player("ada") as ada:
            await apps.meet(ada, bob, "Duel")
            await press(ada, "m", "c", "enter", "q")
        await press(bob, "m", "a", "enter")
        async with apps.player("ada") as ada:
            await press(ada, "o", "enter")
            await look(ada, bob)
            assert moves(ada) == moves(bob) == [("c", "a")]


async def test_the_clock_of_an_absent_player_runs_out(apps: Apps) -> None:
    async with apps.player("ada") as ada, apps.player("bob") as bob:
        await apps.meet(ada, bob, clock="30")
        await play_move(ada, "L1", bob)
        await press(bob, "q")
        assert "0:30" in text(ada[0])
        apps.clock.now += 30 + 2 * GRACE_SECONDS
        await look(ada)
        assert "You win: Right ran out of time." in notice(ada[0])
        await press(bob, "r")
        await look(bob)
        assert "You lose: you ran out of time." in notice(bob[0])


async def test_a_challenge_for_a_name_and_one_with_a_code(apps: Apps) -> None:
    async with apps.player("ada") as ada, apps.player("bob") as bob, apps.player("cat") as cat:
        await press(ada, "o")
        await mark_line(ada, "Open a challenge: Two Heaps")
        await press(ada, "enter")
        await mark_line(ada, "Open to")
        await press(ada, "m", *"bob", "enter", "enter")
        assert "Waiting for bob" in text(ada[0])
        await press(cat, "o")
        assert "ada is waiting" not in text(cat[0])
        await press(bob, "o")
        assert "ada is waiting" in text(bob[0])
        await press(ada, "x")
        assert isinstance(ada[0].screen, PeopleScreen)
        await mark_line(ada, "Open a challenge: Two Heaps")
        await press(ada, "enter")
        await mark_line(ada, "Open to")
        await press(ada, "right", "enter")
        screen = ada[0].screen
        assert isinstance(screen, WaitingScreen)
        code = screen.challenge.code  # type: ignore[union-attr]
        assert code in text(ada[0])
        await press(cat, "q", "o", "enter", *"nothere", "enter")
        await look(ada, cat)
        assert "not the code" in text(cat[0])
        await press(cat, "escape", "enter", *code, "enter")
        await look(ada, cat)
        assert isinstance(cat[0].screen, PlayScreen)


async def test_a_game_to_watch_is_shown_as_a_board_beside_the_list(apps: Apps) -> None:
    async with apps.player("ada") as ada, apps.player("bob") as bob, apps.player("cat", (120, 40)) as cat:
        await apps.meet(ada, bob)
        await press(cat, "o")
        assert "ada and bob" in text(cat[0])
        before = cat[0].screen.query_one(SmallBoard).text().strip()
        assert before
        await play_move(ada, "L1", bob)
        assert isinstance(cat[0].screen, PeopleScreen)
        active_app.set(cat[0])
        cat[0].screen.ask()
        await look(cat)
        after = cat[0].screen.query_one(SmallBoard).text().strip()
        assert after not in ("", before), "the game has gone on"


async def test_two_players_who_wait_for_each_other_are_warned(apps: Apps) -> None:
    async with apps.player("ada") as ada, apps.player("bob") as bob:
        for player in (ada, bob):
            await press(player, "o")
            await mark_line(player, "Open a challenge: Two Heaps")
            await press(player, "enter")
        for player in (ada, bob):
            await press(player, "enter")
            assert isinstance(player[0].screen, WaitingScreen)
            player[0].screen.ask()
            await look(player)
        assert "is also waiting" not in text(ada[0])
        assert "ada is also waiting. Press x, then join them." in text(bob[0])
        await press(bob, "x")
        await mark_line(bob, "ada is waiting")
        await press(bob, "enter")
        await look(ada, bob)
        assert isinstance(ada[0].screen, PlayScreen)
        assert isinstance(bob[0].screen, PlayScreen)


async def test_a_player_learns_that_the_opponent_is_away(apps: Apps) -> None:
    OpenChallenge.open(open_lobby(apps.folder, "ada", apps.clock), make_terms()).close()
    async with apps.player("bob") as bob:
        await press(bob, "o", "enter")
        screen = bob[0].screen
        assert isinstance(screen, WaitingScreen)
        screen.ask()
        await settle(bob[1])
        assert "away" not in text(bob[0])
        apps.clock.now += 2 * ALIVE_SECONDS
        screen.ask()
        await settle(bob[1])
        assert "ada is away and may not return." in text(bob[0])


async def test_lost_records_of_a_game_are_reported_in_one_line(apps: Apps) -> None:
    async with apps.player("ada") as ada, apps.player("bob") as bob:
        await apps.meet(ada, bob)
        await play_move(ada, "L1", bob)
        await press(bob, "q")
        for path in list_records(open_lobby(apps.folder, "bob", apps.clock)):
            path.unlink()
        await press(bob, "r")
        assert isinstance(bob[0].screen, MenuScreen)
        assert "cannot be read" in text(bob[0])


async def test_a_rematch_swaps_the_sides(apps: Apps) -> None:
    async with apps.player("ada") as ada, apps.player("bob") as bob, apps.player("cat") as cat:
        await apps.meet(ada, bob)
        await apps.look_on(cat, "ada and bob")
        await press(ada, "a", "A")
        assert isinstance(ada[0].screen, PlayScreen), "not before the end"
        await play_move(ada, "L1", bob, cat)
        await press(ada, "R", "R")
        await look(ada, bob, cat)
        assert "a again" in notice(bob[0])
        assert "again" not in notice(cat[0])
        await press(cat, "a")
        assert isinstance(cat[0].screen, PlayScreen), "who looks on asks for no game"

        await press(ada, "A")
        assert "Waiting for bob." in text(ada[0])
        await press(ada, "escape", "A")
        assert "Waiting for bob." in text(ada[0]), "there is one challenge, however often ada asks"
        await look_for_another(bob, cat)
        assert "ada wants to play again. Press a to accept." in notice(bob[0])
        assert "again" not in notice(cat[0])
        await press(bob, "a")
        await look(ada, bob)
        await play_move(bob, "L1", ada)
        assert moves(ada) == moves(bob) == [("L", 1)], "who was second is first now"
        assert [len(apps.stores[name].list()) for name in ("ada", "bob")] == [2, 2]


async def test_a_withdrawn_rematch_offer_is_not_waited_for(apps: Apps) -> None:
    async with apps.player("ada") as ada, apps.player("bob") as bob:
        await apps.meet(ada, bob)
        await press(ada, "R", "R")
        await look(ada, bob)
        await press(ada, "a")
        await look_for_another(bob)
        assert "wants to play again" in notice(bob[0])
        await press(ada, "x")
        assert isinstance(ada[0].screen, PlayScreen)
        await look_for_another(bob)
        assert "wants to play again" not in notice(bob[0])
        await press(bob, "a")
        await look_for_another(ada)
        assert "bob wants to play again. Press a to accept." in notice(ada[0])


async def look_for_another(*players: Player) -> None:
    """Let everybody see whether the other side wants to play again."""
    for app, pilot in players:
        active_app.set(app)
        assert isinstance(app.screen, SharedPlayScreen)
        app.screen.find_rematch_offer()
        await settle(pilot)


async def test_a_bell_calls_the_player_whose_turn_it_is(apps: Apps) -> None:
    rung: list[str] = []
    async with apps.player("ada") as ada, apps.player("bob") as bob:
        for name, (app, _) in (("ada", ada), ("bob", bob)):
            app.services.ring = partial(rung.append, name)
        await apps.meet(ada, bob)
        assert rung == ["ada"], "the opponent has come, and it is ada's turn"
        await play_move(ada, "L1", bob)
        await play_move(bob, "R1", ada)
        assert rung == ["ada", "bob", "ada"]
        preferences = ada[0].services.preferences
        preferences.settings = msgspec.structs.replace(preferences.settings, bell=Bell.OFF)
        await play_move(ada, "L1", bob)
        await play_move(bob, "R1", ada)
        assert rung == ["ada", "bob", "ada", "bob"]
