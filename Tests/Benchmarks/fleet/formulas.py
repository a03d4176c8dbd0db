"""The closed formulas: each a function of the inputs, in bytes, seconds and records."""

import math

# "NATS/1.0\r\n", "Nats-Msg-Id: " with its line end, and the empty line.
HEADER = len("NATS/1.0\r\nNats-Msg-Id: \r\n\r\n")


def rate(i):
    """Records per second in the busiest hour."""
    return i.hosts * i.records_per_day / 86_400 * i.peak


# Bytes


def header(i):
    return HEADER + i.identifier


def publish(i):
    """Bytes from the host for a record: HPUB, subject, reply subject of 29 bytes, two lengths, header, body."""
    sizes = len(str(header(i))) + len(str(header(i) + i.body))
    return len("HPUB    \r\n") + i.subject + 29 + sizes + header(i) + i.body + 2


def acknowledgement(i):
    """Bytes to the host for a record: MSG with the reply subject, and the sequence of eight digits as JSON."""
    text = len('{"stream":"PUSHHOST", "seq":12345678}')
    # The server writes two spaces before the size.
    return len("MSG  1  37\r\n") + 29 + text + 2


def stored(i):
    """Bytes of a record in the file of one replica: length, sequence, time, sizes and checksum are 34 bytes."""
    return 34 + i.subject + header(i) + i.body


def backlog_bytes(i, records):
    """Bytes on all disks for records that wait."""
    return records * stored(i) * i.replicas


def kept_time(i):
    """Seconds for which a delivered record stays at most: the duplicate window and three of its sixteenths.

    A relay notes what is settled after each sixteenth, waits for 17 of them, and removes it at its next note.
    """
    return i.duplicates * 19 / 16


def most_stored(i, recovered):
    """Records in the stream at most, if everything is as before after so many seconds: what arrived, and what was kept."""
    return rate(i) * (recovered + kept_time(i))


def replication(i):
    """Bytes per second between servers: the leader sends each record to the other replicas."""
    return rate(i) * stored(i) * (i.replicas - 1)


def duplicate_memory(i):
    """Bytes of memory of each replica for the ids in the duplicate window."""
    return rate(i) * i.duplicates * i.duplicate_bytes


# Throughput


def delivery_time(i, records):
    """Seconds until a batch is delivered."""
    return math.ceil(math.ceil(records / i.objects) / i.connections) * i.request_time


def partition_rate(i):
    """Records per second of one partition, whose next batch begins when the last is settled.

    Four answers of the quorum belong to a batch: fetch, claim, settlement, acknowledgements.
    """
    return i.batch / (4 * i.engine_time + delivery_time(i, i.batch))


def relay_rate(i):
    """Records per second of one relay."""
    return min(i.relay_rate, i.batches * i.batch / delivery_time(i, i.batch))


def limit_rate(i):
    """Records per second that Braze's limit allows."""
    return i.requests / i.window * i.objects


def capacity(i):
    """Records per second of everything together."""
    return min(limit_rate(i), i.relays * relay_rate(i), i.partitions * partition_rate(i))


def smallest_share(i):
    """Requests in a window for a share of one partition; below 1 a relay waits for longer than a window."""
    return i.requests / i.partitions


# An outage of Braze


def pause(i):
    """The mean time from the end of the outage to the next attempt of a relay.

    A pause x is between half and all of the limit L, and the outage ends at a random moment of one: the mean of the rest
    is (mean of x²) / (2 · mean of x) = 7/18 · L.
    """
    return 7 / 18 * i.retry_limit


def backlog(i, pause):
    """Records that wait at the end of the outage and of a pause after it."""
    return rate(i) * (i.outage + pause)


def catch_up(i, pause):
    """Seconds from the end of the outage until nothing waits, with a pause after it; None if it never ends."""
    spare = capacity(i) - rate(i)
    return pause + backlog(i, pause) / spare if spare > 0 else None


# A lost zone


def takeover(i):
    """Seconds until another relay has the partitions of a dead one: a lease, and a third to notice that it is over."""
    return i.lease * 4 / 3


def lost_partitions(i):
    """Partitions of the relays in one zone, at most."""
    return math.ceil(i.partitions / i.relays) * math.ceil(i.relays / i.zones)


def waiting_at_hosts(i):
    """Records that hosts keep until another server leads."""
    return rate(i) * i.election


def waiting_for_takeover(i):
    """Records of the dead relays' partitions that wait until they are taken over."""
    return rate(i) * takeover(i) * lost_partitions(i) / i.partitions


def possible_doubles(i):
    """Records that may arrive twice: what the dead relays were delivering, at most."""
    return min(lost_partitions(i), math.ceil(i.relays / i.zones) * i.batches) * i.batch


def capacity_without_zone(i):
    """Records per second while a zone is gone; Braze's limit moves to the others."""
    relays = i.relays - math.ceil(i.relays / i.zones)
    return capacity(i.changed(relays=relays)) if relays else 0
