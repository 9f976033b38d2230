"""Every action of the app, with its name, keys, word in the footer and sentence in the help.

Screens take their keys from here. The footer, the help and the palette show those that are possible now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final, TypeAlias

from textual.actions import parse
from textual.keys import key_to_character

from onlymove_tui.store.settings import Keys, Settings

MOVING, PLAYING, TRAINING, LOOKING, GAME, PROGRAM = GROUPS = (
    "Moving", "Playing", "Training", "Looking", "Game", "Program",
)  # fmt: skip
"""The groups of commands on the help page, in order."""


class Command:
    """An action. `id` names it in the keymap, `word` is its name in the footer, and `help` is its line in the list of
    keys, in one of the `GROUPS`. `sets` are the command sets that it is in: the ids of screens, what the situations at
    a board call theirs, or `app` for all. The method `action_NAME` of the screen or the app carries it out, with these
    `arguments`. `vi` are its keys in the preset `vi` (empty: its usual ones). `in_palette` says whether it can be
    looked up by name."""

    def __init__(
        self,
        id: str,  # noqa: A002 - the word of the keymap
        keys: str,
        word: str,
        help: str,  # noqa: A002 - the word on screen
        sets: tuple[str, ...],
        group: str,
        action: str = "",
        vi: str = "",
        in_palette: bool = True,
    ) -> None:
        self.id = id
        self.keys = tuple(keys.split(","))
        self.word = word
        self.help = help
        self.sets = sets
        self.group = group
        self.vi = vi
        self.in_palette = in_palette
        _, self.name, self.arguments = parse(action or id)


PLAY = ("play", "lesson_game")
"""A game, and a game that is a task of a lesson."""
REVIEW = ("review", "trying")
"""A review, and a review in which moves are tried."""
PLAYED = (*PLAY, "shared_game")
GAMES = (*PLAY, *REVIEW)
JUDGED = (*GAMES, "drill", "retry")
BOARDS = (*JUDGED, "shared_game", "lesson")
ENTRY = (*PLAYED, "drill", "retry", "lesson")
PICKED = (*ENTRY, "trying")
STEERED = (*PICKED, "setup")
FORMS = ("new", "settings", "players", "opening")
LISTS = ("menu", "learning", "drills", "all_drills", "people", "goto")
PAGES = ("help", "history", "progress", "learning", "drills", "all_drills", "people", "goto", *FORMS)

COMMANDS: Final = (
    # Everywhere.
    Command("help", "question_mark", "keys", "Show every key of this screen", ("app",), PROGRAM, "open_over('keys')"),
    Command("palette", "ctrl+p", "commands", "Find any command by name", ("app",), PROGRAM, "open_over('palette')",
            in_palette=False),
    Command("redraw", "ctrl+l", "redraw", "Redraw the screen", ("app",), PROGRAM),
    Command("suspend", "ctrl+z", "suspend", "Go back to the shell; fg there continues the app", ("app",), PROGRAM),
    Command("quit", "ctrl+q,ctrl+c", "quit", "Quit; games outside lessons are saved", ("app",), PROGRAM),
    # Lists and pages.
    Command("up", "up", "up", "Move one line up", ("menu", *PAGES, "palette", "explore"), MOVING, "step(-1)", vi="up,k",
            in_palette=False),
    Command("down", "down", "down", "Move one line down", ("menu", *PAGES, "palette", "explore"), MOVING, "step(1)",
            vi="down,j", in_palette=False),
    Command("page_up", "pageup,left_square_bracket", "page up", "Move one page up", ("help", "history"), MOVING,
            "page(-1)", in_palette=False),
    Command("page_down", "pagedown,right_square_bracket,space", "page down", "Move one page down", ("help", "history"),
            MOVING, "page(1)", in_palette=False),
    Command("top", "home,less_than_sign", "top", "Go to the first line", ("help", "history", *LISTS), MOVING,
            "edge(-1)", in_palette=False),
    Command("bottom", "end,greater_than_sign", "bottom", "Go to the last line", ("help", "history", *LISTS), MOVING,
            "edge(1)", in_palette=False),
    Command("pick", "enter,space", "choose", "Open or start the selected line", LISTS, PLAYING, in_palette=False),
    Command("open_challenge", "enter", "open", "Open the challenge", ("opening",), PLAYING, "start"),
    Command("start", "enter", "start", "Start the game", ("new",), PLAYING),
    Command("agree", "enter", "play on", "Play on with these players", ("players",), PLAYING, "start"),
    Command("open", "enter", "open", "Review the game, or continue it", ("history",), PLAYING, "pick"),
    Command("filter", "f", "filter", "Show all, unfinished, won, drawn or lost games", ("history",), LOOKING),
    Command("search", "slash", "search", "Search by game, opponent, result or date", ("history",), LOOKING),
    Command("delete", "x", "delete", "Delete the game (asks first)", ("history",), GAME),
    Command("less", "left", "previous", "Go to the previous choice", FORMS, MOVING, "change(-1)", vi="left,h",
            in_palette=False),
    Command("more", "right,space", "change", "Go to the next choice", FORMS, MOVING, "change(1)", vi="right,l,space",
            in_palette=False),
    Command("theme_before", "left", "previous theme", "Choose the previous theme for new positions", ("drills",),
            MOVING, "theme(-1)", vi="left,h"),
    Command("theme", "right", "theme", "Choose the next theme for new positions", ("drills",), MOVING, "theme(1)",
            vi="right,l"),
    Command("change", "enter", "change", "Go to the next choice", ("settings",), MOVING, "change(1)",
            in_palette=False),
    Command("type_value", "m", "type", "Type a value instead of choosing one", FORMS, PLAYING),
    Command("history", "e", "history", "Show the games you have played", ("menu",), PROGRAM, "open('history')"),
    Command("progress", "p", "progress", "Show your results, decisions, mistakes and drills", ("menu",), PROGRAM,
            "open('progress')"),
    Command("drills", "d", "drills", "Practise your own mistakes and new positions",
            ("menu", "progress", "drill", "lesson"), PROGRAM),
    Command("settings", "s", "settings", "Change colours, keys and training", ("menu", *GAMES, "shared_game"), PROGRAM,
            "open('settings')"),
    Command("ascii", "a", "ASCII", "Turn ASCII-only drawing on or off", ("menu",), PROGRAM),
    Command("resume", "r", "resume", "Continue your last unfinished game", ("menu",), PROGRAM),
    Command("quit_menu", "q", "quit", "Quit", ("menu",), PROGRAM),
    Command("leave", "escape,backspace,q", "back", "Go back to the previous screen", (*PAGES, "waiting", "palette"),
            PROGRAM),
    Command("leave_explorer", "escape,q", "back", "Go back to the previous screen", ("explore",), PROGRAM, "leave"),
    Command("leave_review", "escape,backspace,q", "back", "Stop trying moves, or leave the review", REVIEW, PROGRAM,
            "leave"),
    # The board.
    Command("left", "left", "left", "Move the cursor left", STEERED, MOVING, "cursor(-1,0)", vi="left,h",
            in_palette=False),
    Command("right", "right", "right", "Move the cursor right", STEERED, MOVING, "cursor(1,0)", vi="right,l",
            in_palette=False),
    Command("above", "up", "up", "Move the cursor up", STEERED, MOVING, "cursor(0,-1)", vi="up,k", in_palette=False),
    Command("below", "down", "down", "Move the cursor down", STEERED, MOVING, "cursor(0,1)", vi="down,j",
            in_palette=False),
    Command("choose", "enter,space", "choose", "Choose what is under the cursor", PICKED, PLAYING, in_palette=False),
    Command("back", "backspace,escape", "step back", "Take back the last choice or stopped move", ENTRY, PLAYING),
    Command("keep", "y", "play it", "Play your move anyway after a warning", PLAY, PLAYING),
    Command("type_move", "m", "type", "Type a move", (*BOARDS, "explore"), PLAYING),
    Command("undo", "u", "undo", "Take back your last move", PLAY, PLAYING),
    Command("redo", "r", "redo", "Redo the move you took back", PLAY, PLAYING),
    Command("hint", "h", "hint", "Show a hint, or more of it", (*PLAY, "drill", "retry", "lesson"), TRAINING, vi="H"),
    Command("values", "v", "values", "Show what every possible move is worth", (*JUDGED, "explore"), LOOKING),
    Command("why", "w", "why", "Explain why your move is bad", JUDGED, TRAINING),
    Command("training", "t", "training", "Turn training on or off", PLAY, TRAINING),
    Command("overlay", "o", "overlay", "Show extra information on the board", (*BOARDS, "explore"), LOOKING),
    Command("flip", "f", "flip", "Flip the board", (*BOARDS, "explore", "setup"), LOOKING),
    Command("swap", "x", "swap", "Swap the sides", (*PLAY, "new", "players", "opening"), GAME),
    Command("players", "P", "players", "Change who plays each side", PLAY, GAME),
    Command("objective", "j", "objective", "Switch the goal between the result and every point", PLAY, TRAINING,
            vi="J"),
    Command("die", "z", "roll", "Pick a move at random, as best play would", PLAY, PLAYING),
    Command("resign", "R", "resign", "Resign (asks first)", PLAYED, PLAYING),
    Command("draw", "D", "draw", "Offer or claim a draw (asks first)", PLAYED, PLAYING),
    Command("pause", "p", "pause", "Pause or continue a game between engines", PLAY, PLAYING),
    Command("percentages", "v", "percent", "Show how often each piece of advice keeps the result", ("help",), GAME),
    Command("practise", "d", "drills", "Practise positions where the advice is wrong", ("help",), TRAINING),
    Command("drill_these", "d", "drills", "Practise the mistakes of this game", PLAYED, TRAINING),
    Command("review", "e", "review", "Review this game move by move", (*PLAYED, "explore"), GAME),
    Command("rematch", "a", "again", "Play the same game again", PLAYED, GAME, "rematch(0)"),
    Command("rematch_swapped", "A", "swap sides", "Play the same game again with sides swapped", PLAYED, GAME,
            "rematch(1)"),
    Command("new", "c", "new game", "Set up a new game", GAMES, GAME),
    Command("panel", "tab", "panels", "Show the moves, values or hints on a narrow screen",
            (*BOARDS, "explore", "setup"), LOOKING),
    Command("turn_page", "pagedown,b", "more", "Show more of a long text beside the board", BOARDS, LOOKING),
    Command("rules", "f1,i", "rules", "Read the rules and how to win", (*BOARDS, "menu", "learning", "new", "opening",
            "explore"), GAME, "read('rules')"),
    Command("numbers", "n", "numbers", "Show statistics of the solved game", ("menu",), GAME, "read('numbers')"),
    Command("turn_over", "n,tab", "rules/numbers", "Switch between the rules and the statistics", ("help",), GAME),
    Command("menu", "q", "menu", "Go back (the game is saved)", PLAYED, PROGRAM),
    Command("menu_from_review", "g", "menu", "Go to the menu", REVIEW, PROGRAM, "open('menu')"),
    # The explorer.
    Command("explore", "X", "explore", "Explore the game: see what every move leads to",
            ("menu", *GAMES, "shared_game"), LOOKING),
    Command("descend", "enter,right,space", "play move", "Play the selected move", ("explore",), MOVING),
    Command("ascend", "backspace,left", "undo", "Take back the move that led here", ("explore",), MOVING),
    Command("next_group", "pagedown,right_square_bracket", "other result", "Go to the first move with a worse result",
            ("explore",), MOVING, "group(1)"),
    Command("previous_group", "pageup,left_square_bracket", "better result",
            "Go to the first move with a better result", ("explore",), MOVING, "group(-1)"),
    Command("to_start", "home,less_than_sign", "start", "Go back to the first position", ("explore",), MOVING),
    Command("go_to", "g", "go to", "Go to a notable position, or to a random one", ("explore",), LOOKING),
    Command("play_from", "p", "play", "Play a game from this position", ("explore",), PLAYING),
    Command("drill_this", "d", "drill", "Practise this position", ("explore",), TRAINING),
    Command("reasons", "w", "why", "Explain why the selected move is good or bad", ("explore",), LOOKING),
    Command("set_up", "s", "set up", "Set up a position on the board", ("explore",), PLAYING),
    # Setting up a position.
    Command("use", "enter", "explore it", "Explore the position on the board", ("setup",), PLAYING),
    Command("next_piece", "space", "next piece", "Change the piece under the cursor", ("setup",), PLAYING),
    Command("turn", "t", "other side", "Change the side to move", ("setup",), PLAYING),
    Command("clear", "z", "clear", "Clear the board", ("setup",), PLAYING),
    Command("leave_setup", "escape,q", "back", "Go back to the explorer without changes", ("setup",), PROGRAM,
            "leave"),
    Command("play_out", "g", "play out", "Play the rest out: no move matters now", PLAY, PLAYING),
    # A game with a person at another login.
    Command("people", "o", "people", "Play someone on this machine, or watch a game", ("menu",), PROGRAM),
    Command("ask_undo", "u", "undo", "Ask to take back your last move", ("shared_game",), PLAYING),
    Command("agree_to", "y", "agree", "Agree to your opponent's request", ("shared_game",), PLAYING,
            "answer_request(True)"),
    Command("decline", "n", "decline", "Decline your opponent's request", ("shared_game",), PLAYING,
            "answer_request(False)"),
    Command("close_challenge", "x", "close", "Stop waiting and withdraw the challenge", ("waiting",), PLAYING),
    # Drills.
    Command("next_drill", "n", "next", "Go to the next drill", ("drill",), TRAINING),
    Command("unanswer", "u", "undo answer", "Take back a mistyped answer; it does not count then", ("drill",),
            TRAINING),
    Command("put_aside", "p", "put aside", "Put this drill aside; it is not asked again then",
            ("drill", "all_drills"), TRAINING),
    Command("remove_drill", "x", "remove", "Remove this drill (asks first)", ("drill", "all_drills"), TRAINING),
    Command("start_over", "z", "start over", "Forget all answers to this drill (asks first)", ("all_drills",),
            TRAINING),
    Command("all_drills", "e", "all drills", "Show all drills, also those put aside", ("drills",), TRAINING,
            "open('all_drills')"),
    Command("copy_result", "c", "copy result", "Copy the line about today's positions, to share it",
            ("drill", "drills"), TRAINING),
    Command("round_again", "a", "again", "Repeat the drills you missed, or all of them", ("drill",), TRAINING),
    Command("solution", "s", "solution", "Show the best moves (the drill comes back soon)", ("drill", "retry"),
            TRAINING),
    Command("leave_drills", "q", "back", "Go back to the list of drills", ("drill",), PROGRAM, "leave"),
    # Trying again at a mistake.
    Command("leave_retry", "q", "back", "Go back to the review", ("retry",), PROGRAM, "leave"),
    # Lessons.
    Command("learn", "l", "learn", "Show the map of learning this game",
            ("menu", "help", "new", "play", *REVIEW, "lesson", "drill", "retry", "explore"), TRAINING, vi="L"),
    Command("next_task", "n", "skip", "Go to the next task", ("lesson",), TRAINING),
    Command("skip_game", "n", "skip", "Skip this game of the lesson", ("lesson_game",), TRAINING),
    Command("lessons_again", "a", "again", "Start the lessons of this game again", ("lesson",), TRAINING),
    Command("leave_lessons", "q", "back", "Go back (the steps you have finished are saved)", ("lesson",), PROGRAM,
            "leave"),
    # Stepping through a game.
    Command("earlier", "left_square_bracket", "earlier", "Go one move back", PICKED, MOVING, "walk(-1)"),
    Command("later", "right_square_bracket", "later", "Go one move forward", PICKED, MOVING, "walk(1)"),
    Command("first", "home,less_than_sign", "start", "Go to the start of the game", (*GAMES, "shared_game"), MOVING,
            "walk_to(-1)"),
    Command("last", "end,greater_than_sign", "end", "Go to the end of the game", (*GAMES, "shared_game"), MOVING,
            "walk_to(1)"),
    Command("previous_move", "left,left_square_bracket", "earlier", "Go one move back", ("review",), MOVING, "walk(-1)",
            vi="left,h,left_square_bracket"),
    Command("next_move", "right,right_square_bracket", "later", "Go one move forward", ("review",), MOVING, "walk(1)",
            vi="right,l,right_square_bracket"),
    Command("branch_up", "up", "other line", "Go to the previous variation", ("review",), MOVING, "branch(-1)",
            vi="up,k"),
    Command("branch_down", "down", "other line", "Go to the next variation", ("review",), MOVING, "branch(1)",
            vi="down,j"),
    Command("next_mistake", "n", "mistake", "Go to the next mistake", ("play", *REVIEW), MOVING, "mistake(1)"),
    Command("previous_mistake", "N", "previous mistake", "Go to the previous mistake", ("play", *REVIEW), MOVING,
            "mistake(-1)"),
    Command("replay", "space", "replay", "Replay the game, or stop the replay", ("review",), LOOKING),
    Command("try_move", "t", "try", "Look for a better move, or try out moves", REVIEW, LOOKING),
    Command("play_on", "p", "play on", "Play on from this position", REVIEW, PLAYING),
)  # fmt: skip

MAX_NAMED = 7
"""How many commands a footer names at most."""
ALWAYS = 2
"""How many of them are always shown: the last ones, which are the way back and the list of keys."""
MATTER_MOST = 10
"""How many keys the help shows first: those of the footer, then those in `ALSO_FIRST`."""
ALSO_FIRST: Final = ("back", "why", "training", "explore", "history", "progress", "settings", "palette", "flip")

VI: Final = {command.id: command.vi for command in COMMANDS if command.vi}
"""The keys of the preset `vi`: h, j, k and l move the cursor. Commands that had them get the capital letters."""


Keymap: TypeAlias = tuple[tuple[str, str], ...]
"""The keys that the player has chosen, as (command, keys)."""


def make_keymap(settings: Settings) -> Keymap:
    """Return the keys of the player's preset and keymap that differ from the usual ones."""
    preset = VI if settings.keys is Keys.VI else {}
    return tuple({**preset, **settings.keymap}.items())


@cache
def keys_on(command_set: str, keymap: Keymap) -> Mapping[str, Command]:
    """Return the command of each key in a command set. A key that the player has chosen is taken away from the command
    that had it. A screen's key overrides the app's."""
    chosen, found = dict(keymap), dict[str, Command]()
    own = [*list_commands("app"), *list_commands(command_set)]
    for command in sorted(own, key=lambda command: command.id in chosen):
        found |= dict.fromkeys(list_keys(command.id, command_set, keymap), command)
    return found


NEEDS_SMALL: Final = frozenset(
    (
        *(command.id for command in COMMANDS if command.name == "leave"),
        *("menu", "menu_from_review", "quit_menu", "keep", "agree_to", "decline", "delete", "remove_drill"),
        *("put_aside", "close_challenge"),
    )
)
"""The commands that confirm, give something up or leave. They need their own key, so that Caps Lock starts none."""


def find_small_letter(key: str, command_set: str, keymap: Keymap) -> str:
    """Return the small letter that a capital stands for, as with Caps Lock, where the capital means nothing. Empty for
    any other key."""
    small, found = key.lower(), keys_on(command_set, keymap)
    if len(key) != 1 or small == key or key in found or small not in found or found[small].id in NEEDS_SMALL:
        return ""
    return small


def list_commands(command_set: str) -> list[Command]:
    """Return the commands of a set. The set `app` has those of all screens."""
    return [command for command in COMMANDS if command_set in command.sets]


def list_group(group: str) -> list[str]:
    """Return the ids of the commands in a group."""
    return [command.id for command in COMMANDS if command.group == group]


TYPING_SCREEN = "palette"
"""The screen on which the player types all the time."""
BEHIND_THE_GATE = ("quit", "redraw", "suspend")
"""The commands that work in a terminal that is too small for a screen."""
BY_ID: Final = {command.id: command for command in COMMANDS}


TYPING_KEYS: Final = {"accept": "enter", "cancel": "escape"}
"""The keys that end typing. They are no commands and cannot be changed, because all other keys belong to the text."""


@cache
def find_character(key: str) -> str | None:
    """Return the visible character that a key types, or `None`."""
    found = {"slash": "/", "plus": "+"}.get(key) or key_to_character(key)
    return found if found is not None and found.isprintable() and found != " " else None


NAMES: Final = {"escape": "Esc", "pageup": "PgUp", "pagedown": "PgDn", "space": "Space"}


@cache
def key_name(key: str) -> str:
    """Return a key's name for the player, such as `?`, `Enter`, `Ctrl+P` or `R`."""
    if (name := NAMES.get(key) or find_character(key)) is not None:
        return name
    return "+".join(part.capitalize() for part in key.split("+"))


EDITING: Final = ("enter", "escape", "backspace", "delete", "left", "right", "home", "end", "ctrl+u")
"""The keys that edit a text, besides those that type a character."""


def is_of_text(key: str) -> bool:
    """Whether a key types a character or edits a text."""
    return key in ("space", *EDITING) or find_character(key) is not None


def list_keys(name: str, command_set: str, keymap: Keymap) -> Sequence[str]:
    """Return the keys that a command asks for in a set, as the player has chosen them. In the palette, where the player
    types, a command cannot have the key of a text."""
    chosen, usual = dict(keymap), BY_ID[name].keys
    keys = chosen[name].split(",") if name in chosen else usual
    if command_set == TYPING_SCREEN:
        return [key for key in keys if not is_of_text(key)] or [key for key in usual if not is_of_text(key)]
    return keys


def find_key(
    name: str, command_set: str, keymap: Keymap, is_own: Callable[[str], bool] = lambda _: False
) -> str | None:
    """Return the first key of a command in this set, or in one that has the command. `None` if it has no key. A key
    that the screen uses itself (`is_own`) is no key of a command."""
    if name not in BY_ID:
        return TYPING_KEYS.get(name)
    sets = BY_ID[name].sets
    where = command_set if command_set in sets or "app" in sets else sets[0]
    keys = keys_by_command(where, keymap).get(name, ())
    return next((key for key in keys if where != command_set or is_free(key, BY_ID[name], is_own)), None)


@cache
def keys_by_command(command_set: str, keymap: Keymap) -> Mapping[str, Sequence[str]]:
    """Return the keys of each command in a set, in the order in which the command asks for them."""
    bound = keys_on(command_set, keymap)
    names = dict.fromkeys(command.id for command in bound.values())
    return {name: [key for key in list_keys(name, command_set, keymap) if bound[key].id == name] for name in names}


def is_free(key: str, command: Command, is_own: Callable[[str], bool]) -> bool:
    """Whether a command can have a key, although the screen uses some keys itself (`is_own`). Where arrows choose, they
    also are the cursor's keys."""
    return command.name == "cursor" or not is_own(key)


def name_key(name: str, command_set: str, keymap: Keymap, is_own: Callable[[str], bool] = lambda _: False) -> str:
    """Return the name of a command's key. If the player has given all its keys to other commands, return how the
    palette finds it."""
    if (key := find_key(name, command_set, keymap, is_own)) is not None:
        return key_name(key)
    if name not in BY_ID:
        return f"{{{name}}}"
    palette = find_key("palette", command_set, keymap, is_own)
    has_item = BY_ID[name].in_palette and palette is not None
    return f"{key_name(palette or '')} {BY_ID[name].word}" if has_item else f"({BY_ID[name].word}: no key)"
