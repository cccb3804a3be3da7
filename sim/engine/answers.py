"""What answers are called in a trace."""

from typing import assert_never

from sim.contract.messages import Ack, Refusal, ServerError, WriteAnswer


def answer_name(answer: WriteAnswer) -> str:
    """Return one word for what a client is told: ack, a refusal's kind, or an error's code."""
    match answer:
        case Ack():
            return "ack"
        case Refusal():
            return answer.kind
        case ServerError():
            return str(answer.code)
        case _:
            assert_never(answer)


def decision_of(answer: WriteAnswer) -> str:
    """Return one word for what a server decided: as ``answer_name``, but committed or replay."""
    if isinstance(answer, Ack):
        return "replay" if answer.replayed else "committed"
    return answer_name(answer)
