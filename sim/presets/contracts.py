"""Idempotency contracts of real products, as far as the scenario grammar can say them.

Where a product departs from the contract of this simulator, the preset switches the mistake on
that has the same effect; that says what the product promises, and is no judgement of it.
"""

from sim.presets.preset import Preset

CONTRACTS: tuple[Preset, ...] = (
    Preset(
        name="stripe-v1",
        title="Stripe API v1: 24 h, every result stored (errors too), then the key is new",
        keys={
            "retention": "24h",
            "in_flight": "refuse",
            "status": "no",
            "mistakes": ("expired-executes", "error-recorded-as-result"),
        },
        source="docs.stripe.com/api/idempotent_requests and /error-low-level; "
        "ietf-wg-httpapi/idempotency issue 46",
        not_said="a key may be kept longer than 24 h; parameters and endpoint are compared, a "
        "mismatch is a 400; 401, 429 and most 400s are not stored; replays carry the header "
        "Idempotent-Replayed",
    ),
    Preset(
        name="stripe-v2",
        title="Stripe API v2: 30 days, a replay shows the resource as it is now",
        keys={
            "retention": "30d",
            "replay": "current",
            "status": "no",
        },
        source="docs.stripe.com/api/idempotent_requests (preview of API v2)",
        not_said="a failed operation is driven to completion by a repeat; what an expired key "
        "does is not documented: here it is refused",
    ),
    Preset(
        name="ietf-draft-07",
        title="The IETF draft for Idempotency-Key: 409 in flight, 422 for another body",
        keys={"in_flight": "refuse", "status": "no"},
        source="ietf-wg-httpapi/idempotency at 02d82fe; "
        "draft-ietf-httpapi-idempotency-key-header-07",
        not_said="retention is the server's own and should be published (24 h here); what an "
        "expired key does is open; comparing a fingerprint is optional; errors may be replayed "
        "too",
    ),
    Preset(
        name="qonto",
        title="Qonto: 30 min, the body is not compared, then the key is new",
        keys={
            "retention": "30m",
            "status": "no",
            "mistakes": ("snapshot-not-compared", "expired-executes"),
        },
        source="Qonto's API documentation, idempotency",
        not_said="only successes are stored, as here",
    ),
    Preset(
        name="adcp",
        title="AdCP: successes only, and an expired key is refused, never executed again",
        keys={"retention": "24h", "status": "no"},
        source="adcontextprotocol/adcp-client issue 569",
        not_said="the retention is declared by each server as a capability (24 h here)",
    ),
    Preset(
        name="azure-repeatable",
        title="Azure Communication Services, Repeatable Requests: 5 min, then refused",
        keys={"retention": "5m", "in_flight": "refuse", "status": "no"},
        source="learn.microsoft.com/rest/api/communication/repeatable-requests; "
        "microsoft/api-guidelines at 011dd3c, azure/Guidelines.md",
        not_said="the window runs from the client's own Repeatability-First-Sent, so that its "
        "clock matters (412); another body is a 400; 4xx are replayed, 5xx executed again",
    ),
    Preset(
        name="aws-powertools",
        title="Powertools for AWS Lambda: 1 h, payload not compared, then the key is new",
        keys={
            "retention": "1h",
            "in_flight": "refuse",
            "status": "no",
            "mistakes": ("snapshot-not-compared", "expired-executes"),
        },
        source="aws-powertools/powertools-lambda-python at fa1c29f2, "
        "docs/utilities/idempotency.md and persistence/base.py",
        not_said="an exception deletes the record, though a side effect may be there; comparing "
        "chosen fields can be switched on; the key is the function and a hash of the payload",
    ),
    Preset(
        name="ec2-client-token",
        title="EC2 ClientToken: parameters compared, the answer shows the resource as it is now",
        keys={"retention": "24h", "replay": "current", "status": "yes"},
        source="docs.aws.amazon.com/ec2/latest/devguide/ec2-api-idempotency.html",
        not_said="the token is kept as long as the resource lives and 24 h after; it is bound to "
        "a region; the status is read by describing the resource",
    ),
    Preset(
        name="brandur-phases",
        title="Atomic phases after Brandur Leach: 72 h, parameters compared, then the key is new",
        keys={
            "retention": "72h",
            "in_flight": "refuse",
            "status": "no",
            "mistakes": ("expired-executes",),
        },
        source="brandur/rocket-rides-atomic at 94b370d, api.rb and reaper.rb",
        not_said="a lock older than 90 s is taken over, and the work goes on from its recovery "
        "point; the key is reaped 72 h after its creation; a mismatch is a 409; stored errors "
        "of the provider are replayed",
    ),
    Preset(
        name="iceberg-rest",
        title="Iceberg REST catalog: an advertised lifetime (30 min here), 5xx never stored",
        keys={"retention": "30m", "replay": "current", "status": "no"},
        source="apache/iceberg at 7f879b1, open-api/rest-catalog-open-api.yaml",
        not_said="the lifetime runs to the last retry, with a grace for clocks; deterministic "
        "4xx are replayed; comparing the body is not required",
    ),
    Preset(
        name="restate",
        title="Restate: 24 h, a second caller waits for the first one's result, then 410",
        keys={"retention": "24h", "in_flight": "wait", "status": "yes"},
        source="restatedev/restate issue 1324",
        not_said="the retention runs from the end of the execution; one attaches to a running "
        "invocation by its key",
    ),
)
"""In the order in which 'lostack list' shows them."""
