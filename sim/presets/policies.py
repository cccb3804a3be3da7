"""Retry policies of real libraries, as far as the scenario grammar can say them.

``max_attempts`` counts the first attempt, where most libraries count the retries. A library
without a timeout of its own keeps the simulator's. All of them are described with an operation id
that stays the same from attempt to attempt; who makes a new one in the retried function makes the
mistake ``new-operation-per-retry``.
"""

from sim.presets.preset import Preset

POLICIES: tuple[Preset, ...] = (
    Preset(
        name="no-retry",
        title="One attempt, as requests, fetch and TanStack mutations make it by default",
        keys={"retry": {"max_attempts": 1}},
        source="psf/requests at 1f6589e, adapters.py: max_retries=0; TanStack/query at 40321a0, "
        "mutation.ts: retry 0",
        not_said="requests and fetch have no timeout unless told; browsers may silently send a "
        "request again on a broken connection (the fault 'resend')",
    ),
    Preset(
        name="stripe-python",
        title="stripe-python: two retries, 0.5 s doubling up to 5 s, half of it by chance",
        keys={
            "timeout": "80s",
            "retry": {
                "max_attempts": 3,
                "delay": {"exponential": "500ms", "cap": "5s", "jitter": "equal"},
            },
        },
        source="stripe 16.1.0, _http_client.py and __init__.py (installed and read)",
        not_said="no pause is shorter than 0.5 s; the header stripe-should-retry decides both "
        "ways; 429 is not retried without it",
    ),
    Preset(
        name="boto-standard",
        title="botocore's standard mode: three attempts, full jitter from 50 ms, a retry quota",
        keys={
            "timeout": "60s",
            "retry": {
                "max_attempts": 3,
                "delay": {"exponential": "50ms", "cap": "20s", "jitter": "full"},
                "budget": {"tokens": 500, "cost": 14, "refund": 1},
            },
        },
        source="botocore 1.44.8, retries/standard.py and retries/quota.py (installed and read)",
        not_said="throttling starts at 1 s and costs 5; a success after a retry refunds that "
        "retry's cost; DynamoDB makes four attempts from 25 ms; the server's retry-after adds "
        "at most 5 s; earlier versions started at 1 s and paid 5, or 10 for a timeout",
    ),
    Preset(
        name="grpc-example",
        title="gRPC's retry example: four attempts from 100 ms to 1 s, with retry throttling",
        keys={
            "retry": {
                "max_attempts": 4,
                "delay": {"exponential": "100ms", "cap": "1s"},
                "budget": {"tokens": 4, "cost": 1, "refund": 0.1},
            },
        },
        source="grpc/proposal at 1fd061a, A6-client-retries.md",
        not_said="pauses vary by a fifth either way; every failure costs a token (not every "
        "retry), and retries stop at half of a bucket of 10, which leaves four in a row; "
        "transparent retries, hedging and the server's pushback",
    ),
    Preset(
        name="google-api-core",
        title="google.api_core Retry: no count, full jitter from 1 s to 60 s, within 120 s",
        keys={
            "retry": {
                "max_attempts": 100,
                "delay": {"exponential": "1s", "cap": "60s", "jitter": "full"},
                "deadline": "120s",
            },
        },
        source="google-api-core 2.44.0, retry/retry_base.py (installed and read)",
        not_said="there is no count: the deadline alone ends it, long before 100 attempts",
    ),
    Preset(
        name="urllib3-default",
        title="urllib3's Retry as it comes: ten retries without a pause",
        keys={"retry": {"max_attempts": 11, "delay": "0s"}},
        source="urllib3 2.8.0, util/retry.py (installed and read)",
        not_said="after a send only GET, HEAD, PUT, DELETE, OPTIONS and TRACE are retried; no "
        "status is retried unless listed; Retry-After is capped at 6 h",
    ),
    Preset(
        name="tenacity-default",
        title="tenacity's @retry without arguments: for ever, without a pause",
        keys={"retry": {"delay": "0s"}, "mistakes": ("unbounded-retry",)},
        source="tenacity 9.2.1, __init__.py: stop_never, wait_none (installed and read)",
        not_said="every exception is retried, also one that could never get better",
    ),
    Preset(
        name="axios-retry",
        title="axios-retry as it comes: three retries without a pause, POST included",
        keys={"retry": {"max_attempts": 4, "delay": "0s"}},
        source="softonic/axios-retry at dd9b700, src/index.ts",
        not_said="timeouts are not retried, and one timeout covers all attempts; a 5xx is "
        "retried for idempotent methods only",
    ),
    Preset(
        name="ky",
        title="ky as it comes: two retries, 0.3 s doubling, 10 s timeout",
        keys={
            "timeout": "10s",
            "retry": {"max_attempts": 3, "delay": {"exponential": "300ms"}},
        },
        source="sindresorhus/ky at 3419113, source/utils/normalize.ts",
        not_said="timeouts are not retried; POST and PATCH are not retried at all; Retry-After "
        "only with 413, 429 and 503",
    ),
    Preset(
        name="tanstack-query",
        title="TanStack Query's query policy, put on a mutation: three retries, 1 s to 30 s",
        keys={
            "retry": {"max_attempts": 4, "delay": {"exponential": "1s", "cap": "30s"}},
        },
        source="TanStack/query at 40321a0, retryer.ts",
        not_said="a mutation is not retried unless told; retries pause while the browser says "
        "that it is offline",
    ),
    Preset(
        name="apollo-retry-link",
        title="Apollo's RetryLink: five attempts, full jitter below 0.6 s, 1.2 s, 2.4 s, 4.8 s",
        keys={
            "retry": {
                "max_attempts": 5,
                "delay": {"exponential": "600ms", "jitter": "full"},
            },
        },
        source="apollographql/apollo-client at 54084bc, link/retry",
        not_said="queries and mutations are retried alike, on network errors only",
    ),
    Preset(
        name="polly",
        title="Polly v8: three retries, 2 s apart",
        keys={"retry": {"max_attempts": 4, "delay": "2s"}},
        source="App-vNext/Polly at 173d6d1",
        not_said="every exception but a cancellation is retried; the timeout is a strategy of "
        "its own",
    ),
    Preset(
        name="resilience4j",
        title="resilience4j: three attempts, 500 ms apart",
        keys={"retry": {"max_attempts": 3, "delay": "500ms"}},
        source="resilience4j/resilience4j at af9e7c9",
        not_said="every exception is retried; the supplier is called again, and may make a new "
        "operation id",
    ),
    Preset(
        name="kafka-producer",
        title="Kafka's producer: 100 ms to 1 s between attempts, within 120 s",
        keys={
            "timeout": "30s",
            "retry": {
                "max_attempts": 1000,
                "delay": {"exponential": "100ms", "cap": "1s"},
                "deadline": "120s",
            },
        },
        source="apache/kafka at 1eb7644, ProducerConfig",
        not_said="pauses vary by a fifth either way; sequence numbers instead of operation ids, "
        "and only the last five batches are remembered",
    ),
)
"""In the order in which 'lostack list' shows them."""
