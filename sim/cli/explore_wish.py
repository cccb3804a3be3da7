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

KILL_MATRIX = "kill-matrix"
REACH = "reach"
SUITE = "suite"
PAIRS = "pairs"


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
    over: tuple[str, ...] = ()
    """What is made over a suite of its own, in place of exploring a scenario."""
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
        if len(self.over) > 1:
            first, second = self.over[:2]
            raise CommandError(f"--{first} and --{second} are two things", "ask for one at a time")
        if self.over and self.paths and self.over != (REACH,):
            raise CommandError(
                f"--{self.over[0]} has a suite of its own and takes no scenarios",
                f"leave the paths out, or explore them without --{self.over[0]}",
            )
        if self.over and self._useless:
            raise CommandError(
                f"--{self.over[0]} takes no --{self._useless[0]}",
                f"leave --{self._useless[0]} out",
            )
        if not self.over and not self.paths:
            raise CommandError("no scenario is named", "name one: lostack explore lost-ack")

    @property
    def _useless(self) -> list[str]:
        """The options that are given and mean nothing to what is made over a suite."""
        given = {
            "faults": self.faults is not None and self.over == (REACH,),
            "kinds": bool(self.kinds),
            "also": bool(self.also),
            "acts": self.acts is not None,
            "variant": self.variant is not None,
            "max-schedules": self.schedules_max is not None,
            "save": self.save is not None,
            "from-run": self.from_run is not None,
            "seed": self.seed is not None,
            "all": self.every,
        }
        return [name for name, is_given in given.items() if is_given]

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
