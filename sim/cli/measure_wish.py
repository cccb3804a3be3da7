"""What ``lostack measure`` was asked for, and whether it can be had together."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from sim.cli.errors import CommandError

Form: TypeAlias = Literal["text", "json", "markdown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The options of ``lostack measure``; their help says what each one means."""

    paths: tuple[str, ...]
    runs: int | None = None
    seed: int | None = None
    workers: int | None = None
    cluster: str | None = None
    out: str | None = None
    resume: bool = False
    replace: bool = False
    seconds_max: float | None = None
    form: Form = "text"
    variant: str | None = None
    full: bool = False
    width: int | None = None
    colour: bool | None = None
    charts: bool = True
    """Beside the files, where these are written."""

    def check(self) -> None:
        """Refuse what cannot be had together.

        Raises:
            CommandError: An option needs another one, or excludes it.
        """
        if self.resume and self.out is None:
            raise CommandError(
                "--resume goes on from the journal in a folder, and no folder is named",
                "name it: --out DIR --resume",
            )
        if self.replace and self.out is None:
            raise CommandError(
                "--replace writes over what lies in a folder, and no folder is named",
                "name it: --out DIR --replace",
            )
        if self.replace and self.resume:
            raise CommandError(
                "--resume goes on from what lies in the folder, --replace writes over it",
                "keep one of the two",
            )
        if self.cluster is not None and self.workers is not None:
            raise CommandError(
                "--workers are processes on this machine, --cluster are others",
                "keep one of the two",
            )
