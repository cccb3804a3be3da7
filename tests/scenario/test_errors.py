"""Every mistake in a file is shown where it stands, in its own words, with a way out."""

import pickle

import pytest

from sim.scenario.errors import ScenarioError
from sim.scenario.load import load_path, load_text

# What is written, where the first problem is shown, what it says, and what to do.
TABLE = [
    ("client: {timeot: 2s}", "1:10", "unknown key 'timeot'", "did you mean 'timeout'?"),
    ("server:\n  retension: 24h", "2:3", "unknown key 'retension'", "did you mean 'retention'?"),
    ("titel: x", "1:1", "unknown key 'titel'", "did you mean 'title'?"),
    ("title: 5", "1:8", "'title' takes text, not '5'", "quotes"),
    ("server: {retention: 24}", "1:21", "the duration '24' has no unit", "write '24s' or '24ms'"),
    ("server: {retention: 2w}", "1:21", "'2w' is not a duration", "40ms, 2s, 5m, 24h"),
    ("client: {timeout: 0s}", "1:19", "must be longer than zero", "at least 1us"),
    ("client: {timeout: 40000d}", "1:19", "longer than 100 years", "36525d"),
    ("client: {timeout: 1.5us}", "1:19", "not a whole number of microseconds", "smaller unit"),
    ("client: {timeout: [2s]}", "1:10", "expected a duration", "a number and a unit"),
    ("client: {retry: {max_attempts: 0}}", "1:32", "'0' is too small", "at least 1"),
    ("client: {retry: {max_attempts: 2.5}}", "1:32", "a whole number, not '2.5'", "fraction"),
    ("client: {retry: {max_attempts: yes}}", "1:32", "a whole number, not 'yes'", "fraction"),
    ("client: {count: 100001}", "1:17", "'100001' is too large", "at most 100000"),
    ("client: {sees: opak}", "1:16", "unknown value 'opak' for 'sees'", "did you mean 'opaque'?"),
    ("client: {retry: {confirm: maybe}}", "1:27", "expected yes or no", "yes, no"),
    (
        "client: {retry: {delay: {cap: 1s}}}",
        "1:18",
        "'fixed' or 'exponential' or 'listed' is missing",
        "add",
    ),
    (
        "client: {retry: {delay: {fixed: 1s, exponential: 2s}}}",
        "1:18",
        "exclude each other",
        "keep one",
    ),
    ("client: {retry: {budget: {}}}", "1:18", "the key 'tokens' is missing", "add 'tokens: …'"),
    ("client: {retry: {budget: {tokens: 0.12345}}}", "1:35", "finer than a thousandth", "decimals"),
    ("client: [1]", "1:1", "'client' takes a map of keys, not a list", "key: value"),
    ("client: {policy: strip-python}", "1:18", "unknown policy", "did you mean 'stripe-python'?"),
    ("server: {contract: stripe}", "1:20", "unknown contract 'stripe'", "stripe-v1"),
    (
        "client: {mistakes: [timeout-means-failur]}",
        "1:21",
        "unknown mistake 'timeout-means-failur'",
        "did you mean 'timeout-means-failure'?",
    ),
    ("client: {mistakes: [no-registry]}", "1:21", "a mistake of the server", "server: mistakes"),
    ("server: {mistakes: [no-registry, no-registry]}", "1:34", "here twice", "keep one"),
    ("network: {ack: {loss: 1.01}}", "1:23", "'1.01' is not a probability", "from 0 to 1"),
    ("network: {ack: {loss: 5%}}", "1:23", "expected a probability", "0.05"),
    ("network: {ack: {latency: {uniform: [9s, 1s]}}}", "1:17", "the larger one", "smaller one"),
    (
        "network: {ack: {latency: {uniform: [1s]}}}",
        "1:27",
        "'uniform' has 1 item, and takes 2",
        "write 2",
    ),
    (
        "network: {ack: {latency: {quantiles: [[0, 2s], [1, 1s]]}}}",
        "1:27",
        "the durations of 'quantiles' fall",
        "rising",
    ),
    (
        "network: {ack: {burst: {mean_good: 1s, mean_bad: 1ms}}}",
        "1:17",
        "'slot' is longer than a mean stay",
        "at most either mean",
    ),
    ("network: {ack: {latency: {empirical: no.csv}}}", "1:38", "no such file", "fix"),
    ("user: 5", "1:7", "'user' takes a list, not '5'", "- "),
    ("user: [{at: 1s}]", "1:8", "this line does nothing", "edit, save"),
    ("user: [{at: 1s, sav: m}]", "1:17", "unknown action 'sav'", "did you mean 'save'?"),
    ("user: [{at: 1s, save: m, edit: m}]", "1:17", "does two things", "a line for each"),
    ("user: [{save: m}]", "1:8", "'at' or 'every' is missing", "at, every"),
    ("user: [{at: 1s, until: 2s, save: m}]", "1:8", "belong to 'every'", "only at"),
    (
        "user: [{at: 36500d, reload: }]",
        "1:13",
        "never happens: the run ends at its horizon, 60d",
        "'horizon: 36500d' or later",
    ),
    (
        "horizon: 1h\nuser: [{every: {fixed: 1s}, from: 61m, until: 62m, reload: }]",
        "2:35",
        "never happens: the run ends at its horizon, 1h",
        "an earlier time",
    ),
    (
        "user: [{every: {fixed: 1us}, until: 1d, reload: }]",
        "1:9",
        "come to 86400000000 acts, more than 1000000",
        "act less often",
    ),
    (
        "client: {count: 1000}\nuser: [{every: {poisson: 1s}, until: 1h, reload: }]",
        "2:9",
        "come to 3600000 acts",
        "fewer clients",
    ),
    ("client: {timeout: 99999999999999999999d}", "1:19", "longer than 100 years", "36525d"),
    ("faults: [{error: '500', at: before_commit}]", "1:18", "not the text '500'", "without quotes"),
    ("server: {resources: {m: }}", "1:25", "a map of keys, not nothing", "{} leaves all"),
    (
        "faults: [{hold: ack, until: {event: sent, operation: 0}}]",
        "1:54",
        "'operation' counts from 1",
        "first",
    ),
    ("user: [{at: 1s, save: m}]", "1:23", "unknown resource 'm'", "add it first"),
    ("faults: [x]", "1:10", "a fault is a map", "{drop: ack, attempt: 1}"),
    ("faults: [{attempt: 1}]", "1:10", "this fault does nothing", "drop, delay"),
    ("faults: [{dorp: ack}]", "1:11", "unknown fault 'dorp'", "did you mean 'drop'?"),
    ("faults: [{drop: akc}]", "1:17", "unknown value 'akc' for 'drop'", "did you mean 'ack'?"),
    ("faults: [{drop: ack, delay: ack}]", "1:22", "one action", "a fault for each"),
    ("faults: [{delay: ack}]", "1:10", "the key 'by' is missing", "add 'by: …'"),
    ("faults: [{drop: ack, times: 0}]", "1:29", "expected how often", "or all"),
    ("faults: [{drop: ack, operation: 0}]", "1:33", "'operation' counts from 1", "first"),
    ("faults: [{drop: read, operation: 2}]", "1:34", "a read belongs to no operation", "attempt"),
    ("faults: [{fail: ack, as: dns}]", "1:17", "unknown value 'ack' for 'fail'", "request"),
    ("faults: [{error: 418}]", "1:18", "unknown value '418'", "429, 500"),
    ("faults: [{error: 429, at: after_commit}]", "1:10", "nothing was executed", "before_commit"),
    ("faults: [{corrupt: request, set: {body: 1}}]", "1:20", "unknown value", "status_answer"),
    ("faults: [{corrupt: ack, set: {version: 1}}]", "1:31", "unknown field", "accepted_version"),
    ("faults: [{corrupt: ack, set: {operation_id: op-1}}]", "1:31", "a live one", "other text"),
    ("faults: [{corrupt: ack, set: {resource_version: 9}}]", "1:31", "never corrupted alone", "be"),
    ("faults: [{cut: both, from: 2s, to: 2s}]", "1:10", "'to' is not after 'from'", "later"),
    ("faults: [{order: [timer, timer]}]", "1:10", "one kind twice", "two of"),
    ("expect: {phase: ackd}", "1:17", "unknown value 'ackd' for 'phase'", "acknowledged"),
    ("expect: {violates: [one-effect]}", "1:21", "unknown invariant", "one-effect-per-intent"),
    ("expect: {rates: {lost_drafts: {max: 0}}}", "1:18", "unknown measure", "lost_draft_rate"),
    ("expect: {rates: {lost_draft_rate: {}}}", "1:18", "a rate without a bound", "min, max"),
    ("expect: {resources: {n: {}}}", "1:22", "unknown resource 'n'", "fix"),
    ("expect: {operations: {first: {}}}", "1:23", "not the number of an operation", "from 1"),
    ("expect: {operations: {1: {}}}", "1:23", "no operation '1'", "make no operation"),
    ("expect: {clients: {tab: {}}}", "1:20", "unknown client 'tab'", "client"),
    ("client: {}\nclients: {a: {}}", "2:1", "both 'client' and 'clients'", "keep one"),
    ("clients: {}", "1:1", "no client at all", "at least one"),
    ("clients: {any: {}}", "1:11", "'any' has a meaning of its own", "rename"),
    ("clients: {a: {count: 2}, a-2: {}}", "1:26", "one of the clients of 'a'", "rename"),
    ("clients: {a b: {}}", "1:11", "'a b' is not a name", "letters, digits"),
    ("client: {owner: a@b}", "1:17", "'a@b' is not a name for 'owner'", "letters, digits"),
    ("client: {retry: {budget: {tokens: x}}}", "1:35", "expected a number", "10 or 0.1"),
    ("client: {retry: {budget: {tokens: -1}}}", "1:35", "'-1' is out of range", "from 0"),
    ("network: {ack: {latency: {quantiles: [[0]]}}}", "1:39", "is a pair", "[0.5, 40ms]"),
    (
        "network: {ack: {latency: {lognormal: {median: 2s, p99: 1s}}}}",
        "1:27",
        "'p99' is less than 'median'",
        "at least the median",
    ),
    ("user: [{at: 1s, reload: 5}]", "1:25", "'reload' takes no value", "leave the value out"),
    ("user: [{at: 1s, edit: m, id: op-1}]", "1:26", "unknown key 'id'", "body"),
    ("user: [{at: 1s, save: m, id: op-0}]", "1:30", "not an operation's id", "op-1"),
    (
        "user: [{every: {fixed: 1s}, from: 3s, until: 2s, save: m}]",
        "1:8",
        "'until' is not after 'from'",
        "later than from",
    ),
    ("faults: [{drop: ack, attempt: x}]", "1:31", "which one, or any", "count from 1"),
    ("faults: [{drop: ack, client: x}]", "1:30", "unknown client 'x'", "client, any"),
    ("faults: [{corrupt: ack, set: {}}]", "1:25", "the fields that differ", "body"),
    ("faults: [{corrupt: ack, set: {accepted_version: x}}]", "1:31", "a whole number", "version"),
    ("faults: [{corrupt: ack, set: {operation_id: 5}}]", "1:31", "is text", "quotes"),
    ("faults: [{corrupt: ack, set: {attempt_id: 0}}]", "1:31", "expected an attempt", "-07"),
    ("expect: {rates: {refused_rate: {max: no}}}", "1:38", "expected a number", "0.05"),
    ("expect: {rates: {refused_rate: {min: 2, max: 1}}}", "1:18", "larger than 'max'", "exchange"),
    ("expect: {violates: [settles, settles]}", "1:30", "here twice", "keep one"),
    ("client: {count: 2}\nexpect: {clients: {client: {}}}", "2:20", "is 2 clients", "'client-1'"),
    (
        "clients: {a: {count: 100000}, b: {count: 100000}, c: {}}",
        "1:1",
        "200001 clients are more",
        "smaller",
    ),
    ("seed: 0x" + "f" * 50, "1:7", "too large a number", "usual size"),
    ("seed: 1." + "0" * 90, "1:7", "too many digits", "usual size"),
    ("title: 'a", "1:10", "not valid YAML", "quotes"),
    ("title: x\n  b: y", "2:4", "not valid YAML", "indentation"),
    ("seed: -1", "1:7", "'-1' is too small", "at least 0"),
    ("seed: 99999999999999999999", "1:7", "too large a number", "usual size"),
    ("seed: 1e400", "1:7", "too large a number", "usual size"),
    ("seed: .nan", "1:7", "not a finite number", "usual size"),
    ("server: {<<: {retention: 1h}}", "1:10", "is no part of YAML 1.2", "variant"),
    ("run: -1", "1:6", "'-1' is too small for 'run'", "use at least 0"),
    ("variants: {a: {run: 7}}", "1:16", "a variant cannot change 'run'", "server"),
    ("sweep: {run: [1, 2]}", "1:9", "the path 'run' does not exist", "fix"),
    ("client: {retry: {delay: {listed: []}}}", "1:26", "'listed' is empty", "at least one"),
    (
        "client: {retry: {delay: {listed: [1s], fixed: 1s}}}",
        "1:18",
        "'fixed' and 'listed' exclude each other",
        "keep one",
    ),
    ("variants: {a: {titel: x}}", "1:16", "a variant cannot change 'titel'", "server"),
    ("variants: {a: 5}", "1:12", "the variant 'a' is no map", "changes"),
    ("sweep: {client.timeot: [1s]}", "1:9", "the path 'client.timeot' does not exist", "'timeout'"),
    ("sweep: {clint.timeout: [1s]}", "1:9", "does not exist", "did you mean 'client'?"),
    ("sweep: {client.timeout: []}", "1:9", "has no values", "at least one"),
    ("sweep: {client.timeout: 1s}", "1:25", "takes a list, not '1s'", "["),
    ("sweep: {client.timeout: [1s, 5]}", "1:30", "the duration '5' has no unit", "5s"),
    ("sweep: {server.resources.m.version: [1]}", "1:9", "does not exist", "fix"),
    ("clients: {a: {}}\nsweep: {client.timeout: [1s]}", "2:9", "does not exist", "'clients'"),
    ("faults: [{drop: ack}]\nsweep: {faults.2.drop: [ack]}", "2:9", "no item '2'", "from 1 to 1"),
    (
        "sweep: {client.retry.delay.jitter: [none, full]}",
        "1:9",
        "a part of 'client.retry.delay', which the file does not hold",
        "write 'client.retry.delay' in the file, as a map (add one of: fixed, exponential, listed)",
    ),
    (
        "client: {retry: {delay: 1s}}\nsweep: {client.retry.delay.jitter: [none, full]}",
        "2:9",
        "a part of 'client.retry.delay', which is only '1s'",
        "as a map (add one of: fixed, exponential, listed)",
    ),
    (
        "client: {timeout: 2s}\nsweep: {client.timeout.x: [1s]}",
        "2:9",
        "a part of 'client.timeout', which is only '2s'",
        "sweep 'client.timeout' itself",
    ),
]


def _error(text: str) -> ScenarioError:
    with pytest.raises(ScenarioError) as caught:
        load_text(text, "case", "case.yaml")
    return caught.value


@pytest.mark.parametrize(("text", "place", "problem", "fix"), TABLE, ids=[row[0] for row in TABLE])
def test_a_problem_is_shown_where_it_stands_with_a_fix(
    text: str, place: str, problem: str, fix: str
) -> None:
    error = _error(text)

    assert str(error.where) == f"case.yaml:{place}"
    assert problem in error.problem
    assert fix in f"fix: {error.fix}"


@pytest.mark.parametrize("text", [row[0] for row in TABLE])
def test_the_caret_stands_under_what_is_wrong(text: str) -> None:
    error = _error(text)

    head, line, caret, fix = error.one().splitlines()
    assert head == f"{error.where}: {error.problem}"
    assert line[len("   1 | ") :] == text.splitlines()[error.where.line - 1]
    assert caret.index("^") == len("   1 | ") + error.where.column - 1
    assert fix.startswith("  fix: ")


@pytest.mark.parametrize("text", [row[0] for row in TABLE])
def test_a_problem_is_lower_case_and_has_no_full_stop(text: str) -> None:
    problem = _error(text).problem

    assert problem[0] == problem[0].lower()
    assert not problem.endswith(".")


def test_all_problems_of_a_file_are_told_in_its_order() -> None:
    error = _error("seed: x\nclient: {timeot: 2s}\nserver: {retention: 5}\nuser: [{at: 1s}]\n")

    lines = [one.where.line for one in (error, *error.others)]
    assert lines == [1, 2, 3, 4]
    assert str(error).count("fix:") == 4


def test_no_more_than_fifty_problems_are_looked_for() -> None:
    lines = "".join(f"  - {{at: {n}s, save: nothing}}\n" for n in range(6_000))
    error = _error("user:\n" + lines)

    assert len(error.others) == 49
    assert str(error).endswith("and 30 more problems")


def test_a_title_is_one_line() -> None:
    error = _error("title: " + "x" * 201)

    assert error.problem == "'title' is too long"


def test_clients_of_all_variants_together_are_bounded(monkeypatch) -> None:
    monkeypatch.setattr("sim.scenario.load.CLIENTS_MAX", 40)
    error = _error("client: {count: 15}\nvariants: {a: {}, b: {}, c: {}}\n")

    assert "more than 40 clients" in error.problem


def test_actions_of_all_clients_together_are_bounded(monkeypatch) -> None:
    monkeypatch.setattr("sim.scenario.build.user.ACTIONS_MAX", 20)
    line = "  - {at: 0s, client: a, reload}\n"
    error = _error("clients: {a: {count: 9}, b: {}}\nuser:\n" + line * 3)

    assert "more than 20 actions" in error.problem
    assert error.where.line == 5


def test_the_exact_text_of_an_error() -> None:
    error = _error("client:\n  timeout: 2s\n  retry: {max_atempts: 3}\n")

    assert str(error) == (
        "case.yaml:3:11: unknown key 'max_atempts'\n"
        "   3 |   retry: {max_atempts: 3}\n"
        "                 ^^^^^^^^^^^\n"
        "  fix: did you mean 'max_attempts'? (one of: max_attempts, delay, deadline, retry_after, "
        "budget, breaker, confirm)"
    )


def test_a_long_line_is_shown_around_the_caret() -> None:
    error = _error("about: '" + "x" * 3000 + "'\nserver: {" + " " * 900 + "retentio: 1s}\n")

    _, line, caret, _ = error.one().splitlines()
    assert len(line) < 120
    assert line[caret.index("^") :].startswith("retentio")


def test_an_error_survives_pickling() -> None:
    error = _error("client: {timeot: 2s}\nseed: x")

    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("missing.yaml", None, "no such file"),
        ("latin.yaml", "title: caf\xe9".encode("latin-1"), "not UTF-8 text (line 1)"),
        ("large.yaml", b"# " + b"x" * 300_000, "larger than 256 KiB"),
        ("empty.yaml", b"", "the file is empty"),
        ("comment.yaml", b"# nothing\n", "the file is empty"),
    ],
)
def test_a_file_that_cannot_be_a_scenario_says_why(tmp_path, name, content, problem) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(ScenarioError) as caught:
        load_path(str(path))

    assert str(caught.value.where) == str(path)
    assert problem in caught.value.problem


def test_a_folder_is_not_a_scenario(tmp_path) -> None:
    with pytest.raises(ScenarioError, match="a folder, not a scenario"):
        load_path(str(tmp_path))


def test_a_misspelt_file_is_suggested(tmp_path) -> None:
    (tmp_path / "lost-ack.yaml").write_text("title: x", encoding="utf-8")

    with pytest.raises(ScenarioError, match=r"did you mean 'lost-ack\.yaml'"):
        load_path(str(tmp_path / "lost-akc.yaml"))


def test_what_a_file_says_does_not_steer_the_terminal() -> None:
    with pytest.raises(ScenarioError) as caught:
        load_text('server: {"\\e[31mfoo": 1}', "case", "case.yaml")

    assert "\x1b" not in str(caught.value)
    assert "·[31mfoo" in str(caught.value)
