"""Every action of the app, with its name, keys, word in the footer and sentence in the help.

Screens take their keys from here. The footer, the help and the palette show those that are possible now.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from textual.actions import parse


class Command:
    """An action. `id` names it in the keymap, `word` is its name in the footer, and `help` is its line in the list of
    keys. `screens` are the ids of the screens that have it, or `app` for all. The method `action_NAME` of the screen or
    the app carries it out, with these `arguments`."""

    def __init__(
        self,
        id: str,  # noqa: A002 - the word of the keymap
        keys: str,
        word: str,
        help: str,  # noqa: A002 - the word on screen
        screens: tuple[str, ...],
        action: str = "",
    ) -> None:
        self.id = id
        self.keys = tuple(keys.split(","))
        self.word = word
        self.help = help
        self.screens = screens
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
LISTS = ("menu", "drills", "people", "goto")
PAGES = ("help", "history", "progress", "drills", "people", "goto", *FORMS)

COMMANDS: Final = (
    # Everywhere.
    Command("help", "question_mark", "keys", "Show every key of this screen", ("app",), "open_over('keys')"),
    Command("palette", "ctrl+p", "commands", "Find any command by name", ("app",), "open_over('palette')"),
    Command("redraw", "ctrl+l", "redraw", "Redraw the screen", ("app",)),
    Command("suspend", "ctrl+z", "suspend", "Go back to the shell; fg there continues the app", ("app",)),
    Command("quit", "ctrl+q,ctrl+c", "quit", "Quit; games outside lessons are saved", ("app",)),
    # Lists and pages.
    Command("up", "up", "up", "Move one line up", ("menu", *PAGES, "palette", "explore"), "step(-1)"),
    Command("down", "down", "down", "Move one line down", ("menu", *PAGES, "palette", "explore"), "step(1)"),
    Command("page_up", "pageup,left_square_bracket", "page up", "Move one page up", ("help", "history"), "page(-1)"),
    Command("page_down", "pagedown,right_square_bracket,space", "page down", "Move one page down", ("help", "history"),
            "page(1)"),
    Command("top", "home,less_than_sign", "top", "Go to the first line", ("help", "history", *LISTS), "edge(-1)"),
    Command("bottom", "end,greater_than_sign", "bottom", "Go to the last line", ("help", "history", *LISTS), "edge(1)"),
    Command("pick", "enter,space", "choose", "Open or start the selected line", LISTS),
    Command("open_challenge", "enter", "open", "Open the challenge", ("opening",), "start"),
    Command("start", "enter", "start", "Start the game", ("new",)),
    Command("agree", "enter", "play on", "Play on with these players", ("players",), "start"),
    Command("open", "enter", "open", "Review the game, or continue it", ("history",), "pick"),
    Command("filter", "f", "filter", "Show all, unfinished, won, drawn or lost games", ("history",)),
    Command("search", "slash", "search", "Search by game, opponent, result or date", ("history",)),
    Command("delete", "x", "delete", "Delete the game (asks first)", ("history",)),
    Command("less", "left", "previous", "Go to the previous choice", FORMS, "change(-1)"),
    Command("more", "right,space", "change", "Go to the next choice", FORMS, "change(1)"),
    Command("theme_before", "left", "previous theme", "Choose the previous theme for new positions", ("drills",),
            "theme(-1)"),
    Command("theme", "right", "theme", "Choose the next theme for new positions", ("drills",), "theme(1)"),
    Command("change", "enter", "change", "Go to the next choice", ("settings",), "change(1)"),
    Command("type_value", "m", "type", "Type a value instead of choosing one", FORMS),
    Command("history", "e", "history", "Show the games you have played", ("menu",), "open('history')"),
    Command("progress", "p", "progress", "Show your results, decisions, mistakes and drills", ("menu",),
            "open('progress')"),
    Command("drills", "d", "drills", "Practise your own mistakes and new positions",
            ("menu", "progress", "drill", "lesson")),
    Command("settings", "s", "settings", "Change colours, keys and training", ("menu", *GAMES, "shared_game"),
            "open('settings')"),
    Command("ascii", "a", "ASCII", "Turn ASCII-only drawing on or off", ("menu",)),
    Command("resume", "r", "resume", "Continue your last unfinished game", ("menu",)),
    Command("quit_menu", "q", "quit", "Quit", ("menu",)),
    Command("leave", "escape,backspace,q", "back", "Go back to the previous screen", (*PAGES, "waiting", "palette")),
    Command("leave_explorer", "escape,q", "back", "Go back to the previous screen", ("explore",), "leave"),
    Command("leave_review", "escape,backspace,q", "back", "Stop trying moves, or leave the review", REVIEW,
            "leave"),
    # The board.
    Command("left", "left", "left", "Move the cursor left", STEERED, "cursor(-1,0)"),
    Command("right", "right", "right", "Move the cursor right", STEERED, "cursor(1,0)"),
    Command("above", "up", "up", "Move the cursor up", STEERED, "cursor(0,-1)"),
    Command("below", "down", "down", "Move the cursor down", STEERED, "cursor(0,1)"),
    Command("choose", "enter,space", "choose", "Choose what is under the cursor", PICKED),
    Command("back", "escape,backspace", "step back", "Undo the last choice or move", ENTRY),
    Command("keep", "y", "play it", "Play your move anyway after a warning", PLAY),
    Command("type_move", "m", "type", "Type a move", (*BOARDS, "explore")),
    Command("undo", "u", "undo", "Take back your last move", PLAY),
    Command("redo", "r", "redo", "Redo the move you took back", PLAY),
    Command("hint", "h", "hint", "Show a hint, or more of it", (*PLAY, "drill", "retry", "lesson")),
    Command("values", "v", "values", "Show what every possible move is worth", (*JUDGED, "explore")),
    Command("why", "w", "why", "Explain why your move is bad", JUDGED),
    Command("training", "t", "training", "Turn training on or off", PLAY),
    Command("overlay", "o", "overlay", "Show extra information on the board", (*BOARDS, "explore")),
    Command("flip", "f", "flip", "Flip the board", (*BOARDS, "explore", "setup")),
    Command("swap", "x", "swap", "Swap the sides", (*PLAY, "new", "players", "opening")),
    Command("players", "P", "players", "Change who plays each side", PLAY),
    Command("objective", "j", "objective", "Switch the goal between the result and every point", PLAY),
    Command("die", "z", "roll", "Pick a move at random, as best play would", PLAY),
    Command("resign", "R", "resign", "Resign (asks first)", PLAYED),
    Command("draw", "D", "draw", "Offer or claim a draw (asks first)", PLAYED),
    Command("pause", "p", "pause", "Pause or continue a game between engines", PLAY),
    Command("percentages", "v", "percent", "Show how often each piece of advice keeps the result", ("help",)),
    Command("practise", "d", "drills", "Practise positions where the advice is wrong", ("help",)),
    Command("drill_these", "d", "drills", "Practise the mistakes of this game", PLAYED),
    Command("review", "e", "review", "Review this game move by move", (*PLAYED, "explore")),
    Command("rematch", "a", "again", "Play the same game again", PLAYED, "rematch(0)"),
    Command("rematch_swapped", "A", "swap sides", "Play the same game again with sides swapped",
            PLAYED, "rematch(1)"),
    Command("new", "c", "new game", "Set up a new game", GAMES),
    Command("panel", "tab", "panels", "Show the moves, values or hints on a narrow screen",
            (*BOARDS, "explore", "setup")),
    Command("rules", "f1,i", "rules", "Read the rules and how to win",
            (*BOARDS, "menu", "new", "opening", "explore"), "read('rules')"),
    Command("numbers", "n", "numbers", "Show statistics of the solved game", ("menu",), "read('numbers')"),
    Command("turn_over", "n,tab", "rules/numbers", "Switch between the rules and the statistics", ("help",)),
    Command("menu", "q", "menu", "Go back (the game is saved)", PLAYED),
    Command("menu_from_review", "g", "menu", "Go to the menu", REVIEW, "open('menu')"),
    # The explorer.
    Command("explore", "X", "explore", "Explore the game: see what every move leads to",
            ("menu", *GAMES, "shared_game")),
    Command("descend", "enter,right,space", "play move", "Play the selected move", ("explore",)),
    Command("ascend", "backspace,left", "undo", "Take back the move that led here", ("explore",)),
    Command("next_group", "pagedown,right_square_bracket", "other result",
            "Go to the first move with a worse result", ("explore",), "group(1)"),
    Command("previous_group", "pageup,left_square_bracket", "better result",
            "Go to the first move with a better result", ("explore",), "group(-1)"),
    Command("to_start", "home,less_than_sign", "start", "Go back to the first position", ("explore",)),
    Command("go_to", "g", "go to", "Go to a notable position, or to a random one", ("explore",)),
    Command("play_from", "p", "play", "Play a game from this position", ("explore",)),
    Command("drill_this", "d", "drill", "Practise this position", ("explore",)),
    Command("reasons", "w", "why", "Explain why the selected move is good or bad", ("explore",)),
    Command("set_up", "s", "set up", "Set up a position on the board", ("explore",)),
    # Setting up a position.
    Command("use", "enter", "explore it", "Explore the position on the board", ("setup",)),
    Command("next_piece", "space", "next piece", "Change the piece under the cursor", ("setup",)),
    Command("turn", "t", "other side", "Change the side to move", ("setup",)),
    Command("clear", "z", "clear", "Clear the board", ("setup",)),
    Command("leave_setup", "escape,q", "back", "Go back to the explorer without changes", ("setup",), "leave"),
    # A game with a person at another login.
    Command("people", "o", "people", "Play someone on this machine, or watch a game", ("menu",)),
    Command("ask_undo", "u", "undo", "Ask to take back your last move", ("shared_game",)),
    Command("agree_to", "y", "agree", "Agree to your opponent's request", ("shared_game",),
            "answer_request(True)"),
    Command("decline", "n", "decline", "Decline your opponent's request", ("shared_game",),
            "answer_request(False)"),
    Command("close_challenge", "x", "close", "Stop waiting and withdraw the challenge", ("waiting",)),
    # Drills.
    Command("next_drill", "n", "next", "Go to the next drill", ("drill",)),
    Command("round_again", "a", "again", "Repeat the drills you missed, or all of them", ("drill",)),
    Command("solution", "s", "solution", "Show the best moves (the drill comes back soon)", ("drill", "retry")),
    Command("leave_drills", "q", "back", "Go back to the list of drills", ("drill",), "leave"),
    # Trying again at a mistake.
    Command("leave_retry", "q", "back", "Go back to the review", ("retry",), "leave"),
    # Lessons.
    Command("learn", "l", "learn", "Learn the game: lessons, a first game, then drills",
            ("menu", "help", "new", *PLAY, "lesson", "drill")),
    Command("next_task", "n", "skip", "Go to the next task", ("lesson",)),
    Command("skip_game", "n", "skip", "Skip this game of the lesson", ("lesson_game",)),
    Command("lessons_again", "a", "again", "Start the lessons of this game again", ("lesson",)),
    Command("leave_lessons", "q", "back", "Go back (the steps you have finished are saved)", ("lesson",), "leave"),
    # Stepping through a game.
    Command("earlier", "left_square_bracket", "earlier", "Go one move back", PICKED, "walk(-1)"),
    Command("later", "right_square_bracket", "later", "Go one move forward", PICKED, "walk(1)"),
    Command("first", "home,less_than_sign", "start", "Go to the start of the game", (*GAMES, "shared_game"),
            "walk_to(-1)"),
    Command("last", "end,greater_than_sign", "end", "Go to the end of the game", (*GAMES, "shared_game"), "walk_to(1)"),
    Command("previous_move", "left,left_square_bracket", "earlier", "Go one move back", ("review",), "walk(-1)"),
    Command("next_move", "right,right_square_bracket", "later", "Go one move forward", ("review",), "walk(1)"),
    Command("branch_up", "up", "other line", "Go to the previous variation", ("review",), "branch(-1)"),
    Command("branch_down", "down", "other line", "Go to the next variation", ("review",), "branch(1)"),
    Command("next_mistake", "n", "mistake", "Go to the next mistake", ("play", *REVIEW), "mistake(1)"),
    Command("previous_mistake", "N", "previous mistake", "Go to the previous mistake", ("play", *REVIEW),
            "mistake(-1)"),
    Command("replay", "space", "replay", "Replay the game, or stop the replay", ("review",)),
    Command("try_move", "t", "try", "Look for a better move, or try out moves", REVIEW),
    Command("play_on", "p", "play on", "Play on from this position", REVIEW),
)  # fmt: skip

FOOTERS: Final[Mapping[str, tuple[str, ...]]] = {
    "menu": ("pick", "learn", "rules", "explore", "drills", "quit_menu", "help"),
    "lesson": ("choose", "panel", "overlay", "hint", "type_move", "next_task", "leave_lessons", "help"),
    "drills": ("pick", "theme", "leave", "help"),
    "drill": ("choose", "panel", "hint", "solution", "overlay", "next_drill", "why", "leave_drills", "help"),
    "retry": ("choose", "panel", "hint", "solution", "overlay", "type_move", "why", "leave_retry", "help"),
    "new": ("start", "more", "type_value", "swap", "rules", "leave", "help"),
    "settings": ("change", "type_value", "leave", "help"),
    "players": ("agree", "more", "type_value", "swap", "leave", "help"),
    "history": ("open", "search", "filter", "delete", "leave", "help"),
    "progress": ("drills", "leave", "help"),
    "people": ("pick", "leave", "help"),
    "opening": ("open_challenge", "more", "type_value", "swap", "rules", "leave", "help"),
    "waiting": ("close_challenge", "leave", "help"),
    "shared_game": ("choose", "panel", "ask_undo", "draw", "resign", "type_move", "menu", "help"),
    "help": ("turn_over", "percentages", "practise", "page_down", "learn", "leave", "help"),
    "palette": ("leave",),
    "play": ("choose", "panel", "overlay", "hint", "undo", "values", "rules", "type_move", "menu", "help"),
    "lesson_game": ("choose", "panel", "skip_game", "overlay", "hint", "undo", "values", "rules", "type_move", "menu",
                    "help"),
    "explore": ("descend", "ascend", "panel", "overlay", "reasons", "go_to", "set_up", "play_from",
                "leave_explorer", "help"),
    "setup": ("next_piece", "panel", "turn", "clear", "use", "leave_setup", "help"),
    "goto": ("pick", "leave", "help"),
    "review": ("previous_move", "next_move", "panel", "overlay", "next_mistake", "try_move", "values", "why",
               "leave_review", "help"),
    "trying": ("choose", "panel", "type_move", "values", "play_on", "leave_review", "help"),
}  # fmt: skip
"""The commands in the footer of each screen, the most useful first. The last two, the way back and the list of keys,
are always shown. `MOST_NAMED` limits how many of the others are shown."""
WATCHING: Final = ("pause", "panel", "values", "players", "overlay", "menu", "help")
"""The commands in the footer of a game between engines."""
MOST_NAMED = 7
ALWAYS = 2
MATTER_MOST = 10
"""How many keys the help shows first: those of the footer, then those in `ALSO_FIRST`."""
ALSO_FIRST: Final = ("why", "training", "explore", "history", "progress", "settings", "palette", "back", "flip")
CURSOR: Final = frozenset({"left", "right", "above", "below", "up", "down", "less", "more", "change", "page_up",
                           "page_down", "top", "bottom", "pick", "choose"})  # fmt: skip
"""Commands that nobody looks up by name."""

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "Moving": ("left", "right", "above", "below", "up", "down", "less", "more", "change", "theme_before", "theme",
               "page_up", "page_down", "top", "bottom",
               "previous_move", "next_move", "earlier", "later", "first", "last", "branch_up", "branch_down",
               "descend", "ascend", "next_group", "previous_group", "to_start", "next_mistake", "previous_mistake"),
    "Playing": ("pick", "start", "play_from", "set_up", "use", "next_piece", "turn", "clear",
                "agree", "open", "choose", "keep", "back", "type_move", "type_value", "undo",
                "redo", "die", "pause", "play_on", "draw", "resign", "open_challenge", "close_challenge", "ask_undo",
                "agree_to", "decline"),
    "Training": ("hint", "why", "training", "objective", "solution", "next_drill", "round_again", "drill_these",
                 "drill_this", "practise", "learn", "next_task", "skip_game",
                 "lessons_again"),
    "Looking": ("values", "overlay", "flip", "panel", "replay", "try_move", "explore", "go_to", "reasons", "filter",
                "search"),
    "Game": ("review", "new", "rematch", "rematch_swapped", "swap", "players", "rules", "numbers", "turn_over",
             "percentages", "delete"),
    "Program": ("resume", "people", "drills", "history", "progress", "settings", "ascii", "help", "palette", "redraw",
                "suspend", "leave", "leave_review", "leave_explorer", "leave_setup", "leave_drills", "leave_retry",
                "leave_lessons", "menu", "menu_from_review", "quit_menu", "quit"),
}  # fmt: skip
"""The groups of commands on the help page, in order."""

VI: Final[Mapping[str, str]] = {
    "left": "left,h", "below": "down,j", "above": "up,k", "right": "right,l",
    "hint": "H", "objective": "J", "learn": "L",
    "up": "up,k", "down": "down,j", "less": "left,h", "more": "right,l,space",
    "theme_before": "left,h", "theme": "right,l",
    "previous_move": "left,h,left_square_bracket", "next_move": "right,l,right_square_bracket",
    "branch_up": "up,k", "branch_down": "down,j",
}  # fmt: skip
"""The keys of the preset `vi`: h, j, k and l move the cursor. Commands that had them get the capital letters."""


@cache
def keys_on(screen_id: str, keymap: tuple[tuple[str, str], ...]) -> Mapping[str, Command]:
    """Return the command of each key on a screen. `keymap` lists the player's own keys as (id, keys). A key that the
    player has chosen is taken away from the command that had it. A screen's key overrides the app's."""
    chosen, found = dict(keymap), dict[str, Command]()
    own = [*list_commands("app"), *list_commands(screen_id)]
    for command in own:
        if command.id not in chosen:
            found |= dict.fromkeys(command.keys, command)
    for command in own:
        if command.id in chosen:
            found |= dict.fromkeys(chosen[command.id].split(","), command)
    return found


def list_commands(screen_id: str) -> list[Command]:
    """Return the commands of a screen. The id `app` stands for the app."""
    return [command for command in COMMANDS if screen_id in command.screens]


PANELS = "panel"
"""The command that shows the panels of a narrow screen."""
BEHIND_THE_GATE = ("quit", "redraw", "suspend")
"""The commands that work in a terminal that is too small for a screen."""
BY_ID: Final = {command.id: command for command in COMMANDS}


CAPITALS = ("backspace", "enter", "space", "tab", "left", "right", "up", "down", "home", "end")
NAMES: Final = {key: key.capitalize() for key in CAPITALS} | {
    "escape": "Esc",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "question_mark": "?",
    "slash": "/",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "less_than_sign": "<",
    "greater_than_sign": ">",
}
KEYS: Final = {name: key for key, name in NAMES.items()}


def key_name(key: str) -> str:
    """Return a key's name for the player, such as `?`, `Enter`, `Ctrl+P` or `R`."""
    if key in NAMES:
        return NAMES[key]
    if "+" in key and len(key) > 1:
        return "+".join(part.capitalize() for part in key.split("+"))
    return key.upper() if len(key) > 1 else key


def parse_key_name(name: str) -> str:
    """Return the key that has this name for the player. This is the reverse of `key_name`."""
    return KEYS.get(name) or (name.lower() if len(name) > 1 else name)
