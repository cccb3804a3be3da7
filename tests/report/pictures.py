"""What tests ask of a picture: its texts with the room that they take, its messages, its crosses.

How wide a letter is, is said here once more, so that the drawing's own measure is held against it.
"""

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree as ET

NS = "{http://www.w3.org/2000/svg}"


class Text(NamedTuple):
    """One line of text; the box around it, in tenths of a pixel."""

    said: str
    left: int
    right: int
    y: int


def texts(root: ET.Element) -> list[Text]:
    tenths = int(root.attrib["font-size"]) * 6
    found = []
    for element in root.iter(f"{NS}text"):
        said = "".join(element.itertext())
        wide = sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in said) * tenths
        back = {"start": 0, "middle": wide // 2, "end": wide}
        left = int(element.attrib["x"]) * 10 - back[element.get("text-anchor", "start")]
        found.append(Text(said, left, left + wide, int(element.attrib["y"])))
    return found


def overlaps(root: ET.Element) -> list[tuple[str, str]]:
    """Return the pairs of texts that stand on each other."""
    high = int(root.attrib["font-size"])
    found = sorted(texts(root), key=lambda text: text.y)
    return [
        (one.said, other.said)
        for number, one in enumerate(found)
        for other in _near(found[number + 1 :], one.y + high)
        if one.left < other.right and other.left < one.right
    ]


def _near(below: list[Text], y: int) -> Iterator[Text]:
    for text in below:
        if text.y >= y:
            return
        yield text


def messages(root: ET.Element) -> list[ET.Element]:
    return [group for group in root.iter(f"{NS}g") if "data-message" in group.attrib]


def has_cross(message: ET.Element) -> bool:
    return any(path.get("stroke-width") == "3" for path in message.iter(f"{NS}path"))
