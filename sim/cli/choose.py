"""From what was typed to the scenarios to run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sim.cli.errors import CommandError
from sim.scenario.errors import ScenarioError, use_one_of
from sim.scenario.find import find
from sim.scenario.load import load_path
from sim.scenario.model import Scenario


@dataclass(frozen=True, slots=True)
class Chosen:
    """The scenarios that load, and what is wrong with those that do not."""

    scenarios: tuple[Scenario, ...]
    problems: tuple[ScenarioError, ...]


def choose(paths: Sequence[str]) -> Chosen:
    """Return the scenarios of files, folders and shipped names, each file once, in that order."""
    problems: list[ScenarioError] = []
    files: dict[str, None] = {}
    for path in paths:
        try:
            files.update(dict.fromkeys(find([path])))
        except ScenarioError as problem:
            problems.append(problem)
    scenarios: list[Scenario] = []
    for file in files:
        try:
            scenarios.append(load_path(file))
        except ScenarioError as problem:
            problems.append(problem)
    return Chosen(tuple(scenarios), tuple(problems))


def seeded(scenarios: Sequence[Scenario], seed: int) -> tuple[Scenario, ...]:
    """Return the scenarios under another seed."""
    return tuple(
        replace(one, worlds=tuple(replace(world, seed=seed) for world in one.worlds))
        for one in scenarios
    )


def rerun(scenarios: Sequence[Scenario], run: int) -> tuple[Scenario, ...]:
    """Return the scenarios so that they tell another run of their seed."""
    return tuple(
        replace(one, worlds=tuple(replace(world, run=run) for world in one.worlds))
        for one in scenarios
    )


def only_variant(scenarios: Sequence[Scenario], variant: str) -> tuple[Scenario, ...]:
    """Return the scenarios that have the variant, without their other variants.

    Raises:
        CommandError: None of them has it.
    """
    kept = tuple(
        replace(one, worlds=worlds)
        for one in scenarios
        if (worlds := tuple(world for world in one.worlds if world.variant == variant))
    )
    if not kept:
        known = dict.fromkeys(w.variant for one in scenarios for w in one.worlds if w.variant)
        fix = use_one_of(variant, list(known)) if known else "leave --variant out: there is none"
        raise CommandError(f"no scenario has a variant '{variant[:60]}'", fix)
    return kept


def only_tagged(scenarios: Sequence[Scenario], tags: Sequence[str]) -> tuple[Scenario, ...]:
    """Return the scenarios that carry one of the tags.

    Raises:
        CommandError: None of them does.
    """
    kept = tuple(one for one in scenarios if any(tag in tags for tag in one.tags))
    if not kept:
        raise CommandError(
            "no scenario is tagged for a claim", f"tag it with one of: {', '.join(tags)}"
        )
    return kept
