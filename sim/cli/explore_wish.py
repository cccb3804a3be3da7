"""What ``lostack explore`` was asked for."""

from dataclasses import dataclass
from typing import Literal

from sim.cli.errors import CommandError
from sim.explore.acts import ACTS
from sim.explore.bounds import FAULTS_DEFAULT, Bounds
from sim.explore.choice import FAULTS, Kind
from sim.scenario.errors import use_one_of
from sim.scenario.model import Do

Form = Literal["text", "json"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The options of ``lostack explore``; their help says what each one means."""

    paths: tuple[str, ...]
    faults: int | None = None
    kinds: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    acts: int | None = None
    variant: str | None = None
    schedules_max: int | None = None
    seconds_max: float | None = None
    workers: int | None = None
    save: str | None = None
    from_run: int | None = None
    kill_matrix: bool = False
    seed: int | None = None
    every: bool = False
    form: Form = "text"
    width: int | None = None
    colour: bool | None = None

    def check(self) -> None:
        """Refuse options that do not go together.

        Raises:
            CommandError: They do not.
        """
        if self.kill_matrix and self.paths:
            raise CommandError(
                "--kill-matrix has a suite of its own and takes no scenarios",
                "leave the paths out, or explore them without --kill-matrix",
            )
        if not self.kill_matrix and not self.paths:
            raise CommandError("no scenario is named", "name one: lostack explore lost-ack")

    @property
    def faults_most(self) -> int:
        """How many faults one schedule may hold."""
        return FAULTS_DEFAULT if self.faults is None else self.faults

    @property
    def bounds(self) -> Bounds:
        """The space that is to be searched.

        Raises:
            CommandError: A name is unknown, or acts are bounded where there are none.
        """
        kinds = tuple(
            Kind(_known(name, [kind.value for kind in FAULTS], "kind of fault"))
            for name in self.kinds
        )
        also = tuple(Do(_known(name, [do.value for do in ACTS], "act")) for name in self.also)
        if self.acts is not None and not also:
            raise CommandError(
                "--acts bounds what people do besides, and nothing is named",
                "name it: --also edit,save",
            )
        return Bounds(
            faults=self.faults_most,
            acts=(1 if self.acts is None else self.acts) if also else 0,
            kinds=tuple(kind for kind in FAULTS if kind in (kinds or FAULTS)),
            also=tuple(dict.fromkeys(also)),
        )

    @property
    def command(self) -> str:
        """How to say the same search again, for the texts of counterexamples."""
        words = ["lostack explore", *self.paths]
        if self.from_run is not None:
            words.append(f"--from-run {self.from_run}")
        else:
            words.append(f"--faults {self.faults_most}")
        words += [f"--kinds {','.join(self.kinds)}"] if self.kinds else []
        words += [f"--also {','.join(self.also)}"] if self.also else []
        words += [f"--acts {self.acts}"] if self.acts is not None else []
        return " ".join(words)


def _known(name: str, known: list[str], what: str) -> str:
    if name not in known:
        raise CommandError(f"unknown {what} '{name[:60]}'", use_one_of(name, known))
    return name
