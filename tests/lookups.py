"""What Textual looks up again for every message and widget, looked up once for all tests.

Classes do not change while tests run, so the handlers of a message, the number of parameters of a handler, the style
sheets of a widget's class and the names of computed attributes stay what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import pytest
from textual import _callback, message_pump
from textual.css.styles import RenderStyles
from textual.dom import DOMNode
from textual.message import Message
from textual.message_pump import MessagePump
from textual.reactive import Reactive

Handlers: TypeAlias = "tuple[tuple[type, Callable[..., Any]], ...]"


def share_lookups(patch: pytest.MonkeyPatch) -> None:
    share_handlers(patch)
    share_parameter_counts(patch)
    share_default_styles(patch)
    read_attributes_directly(patch)
    patch.setattr(RenderStyles, "get_rule", read_rule)
    patch.setattr(message_pump, "log", Silence())


class Silence:
    """A log of messages that nobody reads, because no console is connected."""

    def __getattr__(self, name: str) -> Silence:
        return self

    def __call__(self, *_: object, **__: object) -> Silence:
        return self


def share_handlers(patch: pytest.MonkeyPatch) -> None:
    """Find the methods that handle a message once for each class. Those chosen by a selector depend on the sender."""
    find = MessagePump._get_dispatch_methods
    known: dict[tuple[type, str, type], Handlers | None] = {}

    def find_once(pump: MessagePump, name: str, message: Message) -> Iterable[tuple[type, Callable[..., Any]]]:
        key = type(pump), name, type(message)
        if key not in known:
            known[key] = list_handlers(*key)
        handlers = known[key]
        return find(pump, name, message) if handlers is None else bind(handlers, pump, message)

    patch.setattr(MessagePump, "_get_dispatch_methods", find_once)


def bind(handlers: Handlers, pump: MessagePump, message: Message) -> Iterator[tuple[type, Callable[..., Any]]]:
    """Yield the handlers as methods of `pump`. A handler may prevent those after it."""
    for owner, method in handlers:
        if message._no_default_action:
            return
        yield owner, method.__get__(pump, owner)


def list_handlers(kind: type, name: str, message: type) -> Handlers | None:
    """Return the methods of a class and its bases that handle messages by their name, or None if any does by
    decoration."""
    if any(set(owner.__dict__.get("_decorated_handlers") or ()) & set(message.__mro__) for owner in kind.__mro__):
        return None
    named = ((owner, owner.__dict__.get(f"_{name}") or owner.__dict__.get(name)) for owner in kind.__mro__)
    return tuple((owner, method) for owner, method in named if method and not getattr(method, "_textual_on", None))


def share_parameter_counts(patch: pytest.MonkeyPatch) -> None:
    """Count the parameters of a function once, and not again for each partial call of it."""
    count = _callback._count_parameters
    counts: WeakKeyDictionary[Callable[..., Any], int] = WeakKeyDictionary()

    def count_once(function: Callable[..., Any]) -> int:
        inner = getattr(function, "__func__", function)
        if inner not in counts:
            counts[inner] = count(inner)
        return counts[inner] - (inner is not function)

    patch.setattr(_callback, "_count_parameters", count_once)


def share_default_styles(patch: pytest.MonkeyPatch) -> None:
    """Find the style sheets of a class once, and not for each widget."""
    find = DOMNode._get_default_css
    known: dict[type, list[Any]] = {}

    def find_once(node: DOMNode) -> list[Any]:
        if type(node) not in known:
            known[type(node)] = find(node)
        return known[type(node)]

    patch.setattr(DOMNode, "_get_default_css", find_once)


def read_attributes_directly(patch: pytest.MonkeyPatch) -> None:
    """Read a reactive attribute that has a value and is not computed from the widget itself."""
    read = Reactive.__get__
    computed: dict[tuple[type, str], bool] = {}

    def read_directly(reactive: Reactive[Any], node: Any, owner: type) -> Any:
        if node is None:
            return reactive
        key = owner, reactive.compute_name
        if key not in computed:
            computed[key] = hasattr(owner, reactive.compute_name)
        if computed[key] or reactive.internal_name not in node.__dict__:
            return read(reactive, node, owner)
        return node.__dict__[reactive.internal_name]

    patch.setattr(Reactive, "__get__", read_directly)


def read_rule(styles: RenderStyles, name: str, default: object = None) -> object:
    """Return a rule of the widget itself, or of the style sheets."""
    own = styles._inline_styles._rules
    return own[name] if name in own else styles._base_styles._rules.get(name, default)  # type: ignore[literal-required]
