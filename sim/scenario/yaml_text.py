"""Plain data as YAML that people like to read: short maps on one line, long ones indented."""

import json
import re
from collections.abc import Mapping, Sequence
from textwrap import wrap

from sim.contract.body import Json
from sim.scenario.scalars import is_plain_text

WIDTH = 100
_KEY_MAX = 900
"""Longer keys need YAML's explicit form."""

_PLAIN = re.compile(r"\w(?:[\w./+() -]*[\w)])?")
_PLAIN_ON_ITS_OWN_LINE = re.compile(r"\w(?:[\w./+() ;,'–—-]*[\w).])?")
_PROSE = re.compile(r"[!-~\xa1-\u1fff]+(?: [!-~\xa1-\u1fff]+)*")
"""Words with single spaces between them: folding puts exactly these back."""
_UNPRINTABLE = re.compile(
    "[^\t -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


def document_text(document: Mapping[str, Json]) -> str:
    """Return a map as YAML, its top level in blocks."""
    return "".join(_entry(key, value, 0) for key, value in document.items())


def flow(value: Json) -> str:
    """Return a value on one line."""
    match value:
        case str():
            return scalar_text(value, _PLAIN)
        case dict():
            return "{" + ", ".join(_flow_entry(key, item) for key, item in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(flow(item) for item in value) + "]"
        case _:
            return json.dumps(value)


def _flow_entry(key: str, item: Json) -> str:
    written = scalar_text(key, _PLAIN, is_key=True)
    if len(written) > _KEY_MAX:
        return f"? {written} : {flow(item)}"
    return f"{written}: {flow(item)}"


def scalar_text(text: str, plain: re.Pattern[str], *, is_key: bool = False) -> str:
    """Return text bare where YAML reads it back as this text, else in double quotes.

    A key is always read as text, so that ``1`` needs no quotes there.
    """
    if plain.fullmatch(text) and (is_key or is_plain_text(text)) and not _UNPRINTABLE.search(text):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: _escape(match[0]), quoted)


def _escape(char: str) -> str:
    return f"\\u{ord(char):04x}"


def _entry(key: str, value: Json, indent: int) -> str:
    """Return one key of a block map, with what it holds."""
    name = scalar_text(key, _PLAIN, is_key=True)
    start = " " * indent + name + ":"
    if isinstance(value, str):
        line = f"{start} {scalar_text(value, _PLAIN_ON_ITS_OWN_LINE)}\n"
        is_prose = len(line) > WIDTH + 1 and _PROSE.fullmatch(value)
        return _folded(start, value, indent + 2) if is_prose else line
    one_line = f"{start} {flow(value)}\n"
    is_block = bool(value) and isinstance(value, (dict, list)) and not _has_long_key(value)
    if not is_block or (indent > 0 and len(one_line) <= WIDTH + 1):
        return one_line
    if isinstance(value, dict):
        return start + "\n" + "".join(_entry(k, v, indent + 2) for k, v in value.items())
    assert isinstance(value, list)
    if indent == 0 or any(isinstance(item, dict) for item in value):
        return start + "\n" + "".join(f"{' ' * (indent + 2)}- {flow(item)}\n" for item in value)
    return start + "\n" + _wrapped(value, indent + 2)


def _folded(start: str, words: str, indent: int) -> str:
    """Return prose over several lines, which YAML reads as one."""
    lines = wrap(words, WIDTH - indent, break_long_words=False, break_on_hyphens=False)
    return f"{start} >-\n" + "".join(f"{' ' * indent}{line}\n" for line in lines)


def _has_long_key(value: Json) -> bool:
    return isinstance(value, dict) and any(len(key) > _KEY_MAX // 8 for key in value)


def _wrapped(items: Sequence[Json], indent: int) -> str:
    """Return a long list in brackets over several lines."""
    lines: list[str] = []
    line = " " * indent + "["
    for number, item in enumerate(items):
        text = flow(item) + ("," if number < len(items) - 1 else "]")
        if len(line) + 1 + len(text) > WIDTH and line.strip(" ["):
            lines.append(line.rstrip())
            line = " " * (indent + 1)
        line += text + " "
    return "\n".join([*lines, line.rstrip()]) + "\n"
