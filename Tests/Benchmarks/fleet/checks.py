"""Compares the simulation with the closed formulas, on a fleet that is small enough for a test."""

import formulas
from simulation import Simulation


def run(chosen):
    """Prints each comparison; returns 1 if one fails."""
    small = chosen.changed(
        hosts=200, partitions=8, users=20_000, requests=30, outage=300.0, retry_limit=16.0, relay_rate=400.0
    )
    failed = 0

    def check(name, value, low, high):
        nonlocal failed
        isRight = value is not None and low <= value <= high
        failed += not isRight
        print(f"{'right' if isRight else 'WRONG'}  {name}: {value:.6g}, expected {low:.6g} to {high:.6g}")

    for name, i in {
        "limited by Braze": small,
        "limited by the relays": small.changed(relay_rate=60.0),
        "limited by a partition": small.changed(batch=15, request_time=1.0),
        "one relay": small.changed(relays=1),
        "other random numbers": small.changed(seed=small.seed + 1),
    }.items():
        result = Simulation(i, outage=i.outage).run()
        saved = formulas.rate(i) * duration(result)
        check(f"{name}: records saved", result.saved, saved * 0.97, saved * 1.03)
        check(f"{name}: records delivered or waiting", result.delivered + result.waiting, result.saved, result.saved)
        check(f"{name}: requests in a window", result.peak_requests, 0, i.requests)
        low, high = formulas.backlog(i, 0) * 0.97, formulas.backlog(i, i.retry_limit) * 1.03
        check(f"{name}: most records that wait", result.peak_backlog, low, high)
        # Partitions have different numbers of users, and the fullest one ends last.
        low, high = formulas.catch_up(i, 0) * 0.95, formulas.catch_up(i, i.retry_limit) * 1.15
        check(f"{name}: seconds until all is as before", result.recovered - i.outage, low, high)
        check(f"{name}: the oldest record", result.oldest, i.outage * 0.99, i.outage + i.retry_limit * 2 + 60)
    for name, i in {"a lost zone": small, "a lost zone, nine relays": small.changed(relays=9, partitions=18)}.items():
        result = Simulation(i, lost_zone=True).run()
        check(f"{name}: records delivered or waiting", result.delivered + result.waiting, result.saved, result.saved)
        expected = formulas.waiting_at_hosts(i)
        check(f"{name}: records that hosts keep", result.at_hosts, expected * 0.7, expected * 1.3)
        check(f"{name}: the oldest record", result.oldest, i.election, formulas.takeover(i) + i.election)
    overload = small.changed(hosts=2_000_000)
    if formulas.catch_up(overload, 0) is not None:
        failed += 1
        print("WRONG  a fleet that saves more than Braze accepts never ends")
    return 1 if failed else 0


def duration(result):
    """Seconds that a run lasted: two minutes before the outage, and until everything was as before."""
    return 120 + result.recovered + 1
