"""Rows about flushes to the destination `braze`."""

import json
import statistics

from .callgrind import each
from .requests import FLUSH_TO, USERS
from .rows_saves import copied
from .table import Amount, Row
from .tools import Failure, Track, check


def flush_copy(bench, host, plugins, data):
    """Flushes a copy of a data folder to `braze` of these bundles.

    Returns the number of records, the seconds, the driver's result and the server.
    """
    command = [*host, "--plugins", plugins, "--data", copied(data, "flush")]
    with Track(bench.track) as server:
        result = bench.drive("roundtrip", command, 1, FLUSH_TO, environment=server.environment)
    reply = result["reply"]["result"]
    # The row `pending` adds records to the suite and `memory` removes some, so the number of records is not known.
    if reply["rejected"] or reply["remaining"] or not result["own_peak_kib"]:
        raise Failure(f"not all records were delivered: {json.dumps(result)[:300]}")
    return reply["delivered"], result["p50_us"] / 1e6, result, server


def flush(bench):
    """Events of one user, flushed to the destination `braze`."""
    operations = bench.operations
    counts = bench.counts(lambda: [each(operations.flush_host) + each(operations.flush_braze)])
    yield from flushed(bench, "events of one user", False, counts)


def flush_mix(bench):
    """Records of 10,000 users, alternating two events and two attributes."""
    yield from flushed(bench, f"records of {USERS:,} users", True)


def flushed(bench, records, mix, counts=""):
    count = bench.size(1_000_000)
    data, _ = bench.filled(count, mix)
    peaks, shares, requests = [], [], []

    def host():
        delivered, seconds, result, server = flush_copy(bench, bench.host, bench.plugins, data)
        if not mix and server.total["events"] != delivered:
            raise Failure(f"{delivered:,} events were delivered, but the server received {server.total}")
        peaks.append(result["own_peak_kib"])
        shares.append(server.total["cpu_seconds"] / seconds)
        requests.append(server.total["requests"])
        return delivered / seconds

    def client():
        with Track(bench.track) as server:
            load = check([bench.track, "load", server.port, max(count // 75, 1), 2])
        return json.loads(load)["events_per_second"]

    ours, theirs = bench.interleave(host, client)
    note = f"{max(requests):,} requests, BRAZE_RATE_REQUESTS=100000, the server at {max(shares):.0%} of a core"
    name = f"flush of {count:,} {records}"
    yield Row(name, ours, "a C client with events in memory", theirs, "records/s", "", note)
    yield Amount(name, statistics.median(ours), "records/s", "≥75,000", instructions=counts)
    yield Amount(f"peak memory of the host, {name}", max(peaks) / 1024, "MiB", "≤40")
