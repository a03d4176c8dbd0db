"""The paths under `/control/`: one function for each, which maps the server and the request to the answer."""

from urllib.parse import parse_qs, urlsplit


def answer(server, method, target, params):
    """The answer; raises LookupError for an unknown path and ValueError for an invalid request."""
    url = urlsplit(target)
    name = url.path[len("/control/") :]
    if (method, name) not in PATHS:
        raise LookupError(f"there is no {method} {url.path}")
    if not isinstance(params, dict):
        raise ValueError("the body must be a JSON object")
    params = {**{key: int(values[0]) for key, values in parse_qs(url.query).items()}, **params}
    return PATHS[method, name](server, **params)


def add_faults(server, faults, replace=False):
    return {"waiting": server.faults.add(faults, replace)}


def leave_to_chance(server, seed, probability, faults):
    server.faults.leave_to_chance(seed, probability, faults)
    return {}


def set_culprit(server, name, answer="index"):
    server.culprits.set(name, answer)
    return {}


def release(server):
    return {"released": server.stalls.release()}


def wait(server, requests=0, objects=0, stalled=0):
    return server.ledger.wait(requests, objects, stalled)


def tell_log(server, after=0):
    return {"objects": server.ledger.log(after)}


def tell_requests(server):
    return {"requests": server.ledger.describe()}


PATHS = {
    ("POST", "faults"): add_faults,
    ("POST", "chaos"): leave_to_chance,
    ("POST", "culprits"): set_culprit,
    ("POST", "release"): release,
    ("POST", "wait"): wait,
    ("GET", "log"): tell_log,
    ("GET", "requests"): tell_requests,
}
