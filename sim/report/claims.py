"""The claims that scenarios prove: contract.md, section 7, each under the tag that names it."""

from typing import NamedTuple


class Claim(NamedTuple):
    """One claim, and what showing it in a simulation leaves open."""

    tag: str
    says: str
    does_not_prove: str

    @property
    def from_(self) -> str:
        """Where the claim comes from."""
        kind, _, number = self.tag.rpartition("-")
        if kind == "proof":
            return f"proof {number} of 5: what the first article, on the client, asks to be shown"
        return f"expectation {number} of 4 of the second article, on the server's side"


CLAIMS = (
    Claim(
        "proof-1",
        "After a lost answer the draft stays available.",
        "That your browser's storage keeps it: a full disk, private mode or a cleared profile "
        "are not simulated.",
    ),
    Claim(
        "proof-2",
        "A retry makes no new logical operation without an explicit decision.",
        "That no other layer makes one: an HTTP library, a proxy or a service worker may repeat "
        "or rename requests on its own.",
    ),
    Claim(
        "proof-3",
        "A late answer to an old attempt does not change the new version.",
        "That your answers name their operation and attempt at all; without that nobody can tell "
        "which attempt an answer belongs to.",
    ),
    Claim(
        "proof-4",
        "An acknowledgement of an old version does not clear newer text.",
        "That your form counts every edit: one that changes the text without raising the draft "
        "version is invisible to the rule.",
    ),
    Claim(
        "proof-5",
        "An irreversible effect has a separate check of its result.",
        "That your provider's status endpoint tells the truth, and how soon it does.",
    ),
    Claim(
        "article2-1",
        "A repeat of a committed operation returns the same snapshot, and the version does not "
        "rise again.",
        "That your database commits change and result together; a cache beside it does not.",
    ),
    Claim(
        "article2-2",
        "The same UUID with another body is refused.",
        "That your service compares bodies; many compare the key alone.",
    ),
    Claim(
        "article2-3",
        "An edit while waiting stays dirty after the acknowledgement.",
        "That your state library does not overwrite the form with the server's answer.",
    ),
    Claim(
        "article2-4",
        "A replay is recognised before the version is compared.",
        "That no layer in front compares first: an If-Match check in a gateway would.",
    ),
)

LEGEND = (
    "proof-1 to proof-5: what the first of the two articles behind the contract asks of a client; "
    "article2-1 to article2-4: what the second one expects of the server's registry. "
    "'lostack explain proof-1' tells more."
)

CAVEAT = (
    "A simulation proves the rules, not a product: not that a given browser, proxy, library or "
    "service behaves so, and not that a method's idempotence makes your operation idempotent. "
    "That takes a run against the real thing."
)
