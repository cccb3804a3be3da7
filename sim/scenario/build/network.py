"""Links, built: every distribution becomes its quantile table."""

from sim.network import distributions
from sim.network.weather import Burst, Direction, Latency, Link
from sim.scenario.build.context import Context, either
from sim.scenario.errors import ScenarioError
from sim.scenario.grammar.network import SLOT_US, BurstPart, DirectionPart, LatencyPart, LinkPart
from sim.scenario.locate import Loc
from sim.scenario.measured import beside, read_latencies

_DEFAULT = Direction()


def link(context: Context, loc: Loc, part: LinkPart | None) -> Link:
    """Return both directions of a link; what is not said is 40 ms and nothing lost."""
    if part is None:
        return Link()
    return Link(
        request=_direction(context, (*loc, "request"), part.request),
        ack=_direction(context, (*loc, "ack"), part.ack),
    )


def _direction(context: Context, loc: Loc, part: DirectionPart | None) -> Direction:
    if part is None:
        return _DEFAULT
    return Direction(
        latency=_latency(context, (*loc, "latency"), part.latency),
        loss=either(part.loss, 0.0),
        duplicate=either(part.duplicate, 0.0),
        corrupt=either(part.corrupt, 0.0),
        burst=_burst(part.burst) if part.burst else None,
    )


def _burst(part: BurstPart) -> Burst:
    return Burst(
        loss_good=either(part.loss_good, 0.0),
        loss_bad=either(part.loss_bad, 1.0),
        mean_good_us=part.mean_good,
        mean_bad_us=part.mean_bad,
        slot_us=either(part.slot, SLOT_US),
    )


def _latency(context: Context, loc: Loc, part: "int | LatencyPart | None") -> Latency:
    if part is None:
        return _DEFAULT.latency
    if isinstance(part, int):
        return Latency.constant(part)
    try:
        return _distribution(context, part)
    except ValueError as error:
        context.refuse((*loc, "quantiles"), str(error), "write [[0, 10ms], …, [1, 3s]], rising")
    except ScenarioError as error:
        if error.where.line:
            context.add(error)
        else:
            problem = f"{error.where.path}: {error.problem}"
            context.refuse((*loc, "empirical"), problem, error.fix)
    return _DEFAULT.latency


def _distribution(context: Context, part: LatencyPart) -> Latency:
    if part.uniform:
        return distributions.uniform(part.uniform[0], part.uniform[1])
    if part.exponential:
        return distributions.exponential(part.exponential.mean)
    if part.lognormal:
        return distributions.lognormal(part.lognormal.median, part.lognormal.p99)
    if part.pareto:
        return distributions.pareto(part.pareto.scale, part.pareto.shape)
    if part.quantiles is not None:
        return distributions.quantiles(part.quantiles)
    assert part.empirical is not None
    context.source.reads.append(beside(context.source.path, part.empirical))
    return distributions.empirical(read_latencies(context.source.path, part.empirical))
