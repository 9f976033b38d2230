"""The styles of widgets, found once for all tests.

Hundreds of tests open an app. The same style sheet gives the same styles to widgets of the same kind, id, classes and
state in the same place, in every app and each time that a screen comes back.
"""

from __future__ import annotations

from typing import Any, cast

import pytest
from textual.app import App
from textual.css.model import RuleSet
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.widget import Widget

FLAGS = ("_has_hover_style", "_has_focus_within", "_has_order_style", "_has_odd_or_even")
"""What a widget remembers of the rules that may apply to it."""


def share_styles(patch: pytest.MonkeyPatch) -> None:
    """Make every style sheet reuse what another one has parsed or found."""
    parsed: dict[tuple[object, ...], list[RuleSet]] = {}
    found: dict[tuple[object, ...], tuple[RulesMap, list[bool]]] = {}
    settled: dict[int, dict[str, object]] = {}
    sheets: dict[tuple[int, ...], int] = {}
    parse, apply = Stylesheet._parse_rules, Stylesheet.apply

    def parse_once(sheet: Stylesheet, css: str, **how: object) -> list[RuleSet]:
        key = (css, *how.items(), *sheet._variables.items())
        if key not in parsed:
            parsed[key] = parse(sheet, css, **how)  # type: ignore[arg-type]
        return parsed[key]

    def find_number(sheet: Stylesheet) -> int:
        """Return a number that all style sheets with the same rules in the same order share."""
        rules = sheet.rules
        known = cast("tuple[list[RuleSet], int] | None", getattr(sheet, "_number", None))
        if known is None or known[0] is not rules:
            known = rules, sheets.setdefault(tuple(map(id, rules)), len(sheets))
            sheet._number = known  # type: ignore[attr-defined]
        return known[1]

    def apply_found(sheet: Stylesheet, node: DOMNode, *, animate: bool = False, cache: object = None) -> None:
        key = (find_number(sheet), *list_traits(node))
        if key in found:
            rules, flags = found[key]
            for name, flag in zip(FLAGS, flags, strict=True):
                setattr(node, name, flag)
            set_before = getattr(node, "_set_by_rules", None)
            if set_before is not None and set_before[0] is rules and set_before[1] == node._css_styles._rules:
                node.notify_style_update()
            else:
                if is_plain(node):
                    set_first_rules(node, rules)
                else:
                    replace_changed_rules(sheet, node, rules, animate)
                node._set_by_rules = rules, dict(node._css_styles._rules)  # type: ignore[attr-defined]
            sheet._process_component_classes(node)
            return
        fresh: dict[tuple[Any, ...], RulesMap] = {}
        apply(sheet, node, animate=animate, cache=fresh)
        if fresh:  # it is empty if the styles depend on the widgets beside this one
            found[key] = *fresh.values(), [getattr(node, name) for name in FLAGS]  # type: ignore[assignment]

    def set_first_rules(node: DOMNode, rules: RulesMap) -> None:
        """Set the rules of a new widget, which are the same for each widget that they are found for."""
        base = node.styles.base
        if id(rules) not in settled:
            for name, value in rules.items():
                setattr(base, name, value)
            settled[id(rules)] = dict(cast("dict[str, object]", base._rules))
        else:
            base._rules.update(settled[id(rules)])  # type: ignore[typeddict-item]
            base._updates += 1
        node.notify_style_update()

    patch.setattr(Stylesheet, "_parse_rules", parse_once)
    patch.setattr(Stylesheet, "apply", apply_found)


def is_plain(node: DOMNode) -> bool:
    """Whether a widget is new: it has no rules yet, and nothing has to follow them."""
    return not node._is_mounted and not node.styles.base._rules


def replace_changed_rules(sheet: Stylesheet, node: DOMNode, rules: RulesMap, animate: bool) -> None:
    """Replace the rules of a widget. Without transitions nothing is animated, and rules that stay need not be set."""
    if animate and "transitions" in rules:
        sheet.replace_rules(node, rules, animate=True)
        return
    base = node.styles.base
    before, after = cast("dict[str, object]", base._rules), cast("dict[str, object]", rules)
    for name in [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]:
        setattr(base, name, after.get(name))
    node.notify_style_update()


def list_traits(node: DOMNode | None) -> list[object]:
    """Return everything that selectors may ask of a widget and of those around it, except their order."""
    found: list[object] = []
    while isinstance(node, DOMNode):
        found += (type(node), node._id, node.classes)
        if isinstance(node, Widget):
            found += (node.mouse_hover, node.has_focus, node.disabled)
        elif isinstance(node, App):
            found += (node.theme, node.app_focus, node.no_color, node.ansi_color, node.is_inline)
        node = node._parent  # type: ignore[assignment]
    return found
