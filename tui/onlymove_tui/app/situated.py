"""The base of screens whose player is in one situation at a time. The situation decides what keys mean and do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from onlymove.pictures.colours import Tone

from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.commands import Command
from onlymove_tui.play.situations import Effect, Situation


class SituatedScreen(BaseScreen):
    """Asks the situation which commands there are, which stand in the footer, and what Enter and Back do. A subclass
    finds the `situation`, and knows the methods behind the `effects`."""

    @property
    def situation(self) -> Situation:
        """What the player is doing. It decides what Enter, Back and the way out do, and what is possible."""
        raise NotImplementedError

    @property
    def effects(self) -> Mapping[Effect, Callable[[], object]]:
        """What the situations call by a name, as methods of this screen."""
        return {Effect.NOTHING: lambda: None}

    def carry_out(self, effect: Effect) -> None:
        """Do what a key does in the situation that the player is in."""
        self.effects[effect]()

    async def do(self, command: Command) -> None:
        """Carry out a command, or say why it does nothing here."""
        if refusal := self.situation.refuse(command.id):
            self.say(refusal, Tone.DIM)
        else:
            await super().do(command)

    @property
    def command_set(self) -> str:
        return self.situation.command_set

    def footer_commands(self) -> Sequence[str]:
        return self.situation.footer

    def named_commands(self) -> Sequence[str]:
        situation = self.situation
        return (*(command for command, _ in situation.keys), *situation.footer)

    def own_words(self) -> Mapping[str, str]:
        return self.situation.words
