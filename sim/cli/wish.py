"""What ``lostack run`` was asked for, and whether it can be had together."""

from dataclasses import dataclass

from sim.cli.errors import CommandError
from sim.cli.output import STDOUT


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The options of ``lostack run``; their help says what each one means."""

    paths: tuple[str, ...]
    form: str = "text"
    brief: bool | None = None
    full: bool = False
    diagram: str | None = None
    proofs: bool = False
    trace: str | None = None
    as_scenario: str | None = None
    twice: bool = False
    fail_fast: bool = False
    variant: str | None = None
    cell: str | None = None
    seed: int | None = None
    run: int | None = None
    width: int | None = None
    colour: bool | None = None

    @property
    def is_silent(self) -> bool:
        """Whether a file takes standard output, so that nothing else is shown there."""
        return STDOUT in (self.trace, self.as_scenario)

    def check(self) -> None:
        """Refuse what cannot be had together.

        Raises:
            CommandError: Two things want standard output, or nothing is named.
        """
        takers = {
            f"--format {self.form}": self.form != "text",
            "--diagram": self.diagram is not None,
            "--proofs": self.proofs,
            "--trace -": self.trace == STDOUT,
            "--as-scenario -": self.as_scenario == STDOUT,
        }
        taken = [name for name, wants in takers.items() if wants]
        if len(taken) > 1:
            together = "both" if len(taken) == 2 else "all"
            raise CommandError(
                f"{' and '.join(taken)} {together} want standard output",
                "ask for one of them; a trace can go to a file",
            )
        if not self.paths and not self.proofs:
            raise CommandError(
                "no scenario is named",
                "name a file, a folder, or a shipped one: 'lostack run lost-ack' ('lostack list')",
            )
