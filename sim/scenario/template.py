"""The scenario that ``lostack new`` writes: it runs, and every line says what it is for."""

from sim.scenario.dump import SCHEMA_LINE
from sim.scenario.yaml_text import flow

_TEXT = """\
# A scenario is one file: who saves what, what goes wrong, and what must come of it.
# Everything that is left out has a default that keeps the contract.
# Run it with 'lostack run FILE'; durations are written as 250us, 40ms, 2s, 5m, 24h, 30d.
title: {title}
about: The answer to the first attempt is lost; the second attempt gets the stored result.

server:
  resources:                    # what the server holds, by name
    note: {{version: 4, body: {{text: old}}}}
  retention: 24h                # how long an operation's result is kept

client:
  timeout: 2s                   # how long an attempt waits for its answer
  retry: {{max_attempts: 2, delay: 500ms}}  # the first attempt counts
  # policy: stripe-python       # or the retry policy of a real library ('lostack list')
  # mistakes: [timeout-means-failure]     # or a mistake that real code makes

network:                        # two directions, never alike by assumption
  request: {{latency: 40ms}}      # from the client to the server
  ack: {{latency: 40ms}}          # and back: any answer

user:                           # what the person does, and when
  - {{at: 0s, edit: note, body: {{text: new}}}}
  - {{at: 1s, save: note}}

faults:                         # what goes wrong, addressed to exactly one message
  - {{drop: ack, attempt: 1}}     # the answer to the first attempt never arrives
  # - {{delay: request, attempt: 1, by: 3s}}
  # - {{crash: server, at: after_commit, restart: 1s}}

expect:                         # what must have come of it; no invariant may break
  phase: acknowledged           # what the screen shows in the end
  resources: {{note: {{version: 5, body: {{text: new}}}}}}
  effects: 1                    # written once,
  attempts: 2                   # although it was sent twice
  acks: {{accepted: 1}}
  # violates: [one-effect-per-intent]     # for a scenario that is there to show a mistake

# variants:                     # the same with something changed: maps merge, lists replace
#   lost-request:
#     faults: [{{drop: request, attempt: 1}}]
"""


def template(title: str) -> str:
    """Return the text of a new scenario.

    Args:
        title: Its title; any text.
    """
    return SCHEMA_LINE + _TEXT.format(title=flow(title))
