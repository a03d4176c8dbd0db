"""The inputs of the arithmetic and the simulation, each an option of the command line."""

import argparse
from dataclasses import dataclass

# Each input: its default and what it is. The defaults that are times of the engine are those of nats-server 2.9.
OPTIONS = {
    "hosts": (10_000, "hosts that publish"),
    "records_per_day": (2_000, "records that a host saves per day"),
    "peak": (3.0, "how many times the average the records per second are in the busiest hour"),
    "users": (1_000_000, "users of all hosts"),
    "body": (230, "bytes of a record as JSON"),
    "subject": (43, "bytes of a message's subject"),
    "identifier": (57, "bytes of a message's Nats-Msg-Id"),
    "replicas": (3, "replicas of the stream"),
    "zones": (3, "zones over which servers and relays are spread"),
    "duplicates": (600.0, "seconds of the duplicate window"),
    "duplicate_bytes": (245.0, "bytes of memory for a message id in the duplicate window"),
    "partitions": (48, "partitions of the stream"),
    "relays": (3, "relays"),
    "requests": (3_000, "requests to Braze in each window, for all relays together"),
    "window": (3.0, "seconds of this window"),
    "objects": (75, "records in a request"),
    "batch": (1_000, "records in a batch"),
    "batches": (2, "batches that a relay delivers at once"),
    "connections": (8, "requests of a batch at once"),
    "request_time": (0.1, "seconds until Braze answers a request"),
    "engine_time": (0.005, "seconds until the stream's quorum answers"),
    "relay_rate": (40_000.0, "records per second for which a relay has processor time"),
    "outage": (3_600.0, "seconds for which Braze is out"),
    "retry_limit": (300.0, "seconds of the longest pause after failures"),
    "lease": (10.0, "seconds of a relay's lease"),
    "election": (9.0, "seconds until another server leads"),
    "seed": (1, "seed of the random numbers"),
}


@dataclass(frozen=True)
class Inputs:
    """The inputs, by name."""

    values: dict

    def __getattr__(self, name):
        return self.values[name]

    def changed(self, **changes):
        return Inputs({**self.values, **changes})


DEFAULTS = Inputs({name: default for name, (default, _) in OPTIONS.items()})


def add_options(parser: argparse.ArgumentParser):
    for name, (default, text) in OPTIONS.items():
        parser.add_argument("--" + name.replace("_", "-"), type=type(default), default=default, help=text)


def from_options(options):
    return Inputs({name: getattr(options, name) for name in OPTIONS})
