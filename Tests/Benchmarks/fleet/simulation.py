"""A simulation in steps of a second: arrivals, partitions, relays, the limit, outages and a lost zone."""

import math
import random
from dataclasses import dataclass

import formulas


@dataclass
class Result:
    """What a run shows; times in seconds after the fault began."""

    peak_backlog: float = 0
    recovered: float | None = None  # when no more records wait than before
    oldest: float = 0  # the greatest age of a record when it was delivered
    delivered: int = 0
    waiting: int = 0  # records that wait at the end
    saved: int = 0
    peak_requests: float = 0  # the most requests in a window of the limit
    at_hosts: int = 0


class Partition:
    """A queue of numbers of records with the second of their arrival."""

    def __init__(self, weight):
        self.weight, self.waiting, self.queue, self.head = weight, 0, [], 0
        self.kept = 0  # records that hosts keep

    def add(self, second, count):
        if count:
            self.queue.append([second, count])
            self.waiting += count

    def take(self, count):
        """Removes the oldest records, at most so many. Returns their number and the time of the oldest."""
        taken, oldest = 0, None
        while taken < count and self.head < len(self.queue):
            entry = self.queue[self.head]
            oldest = entry[0] if oldest is None else oldest
            part = min(entry[1], count - taken)
            entry[1] -= part
            taken += part
            if not entry[1]:
                self.head += 1
        if self.head > 1_000:
            del self.queue[: self.head]
            self.head = 0
        self.waiting -= taken
        return taken, oldest


def poisson(rng, mean):
    """A random number of events; from random() alone, so that every version of Python gives the same."""
    if mean > 50:
        # The sum of twelve uniform numbers is nearly normal.
        return max(0, round(mean + math.sqrt(mean) * (sum(rng.random() for _ in range(12)) - 6)))
    limit, count, product = math.exp(-mean), 0, rng.random()
    while product > limit:
        count += 1
        product *= rng.random()
    return count


def user_weights(i, rng):
    """The part of the users in each partition: each user is in a random one."""
    mean = i.users / i.partitions
    counts = [poisson(rng, mean) for _ in range(i.partitions)]
    return [count / sum(counts) for count in counts]


class Simulation:
    def __init__(self, inputs, before=120, outage=0.0, lost_zone=False):
        self.i, self.before, self.outage, self.lost_zone = inputs, before, outage, lost_zone
        self.rng = random.Random(inputs.seed)
        self.partitions = [Partition(weight) for weight in user_weights(inputs, self.rng)]
        self.owner = [p % inputs.relays for p in range(inputs.partitions)]
        self.alive = [True] * inputs.relays
        self.failures, self.next_try = [0] * inputs.relays, [-math.inf] * inputs.relays
        self.window = max(1, round(inputs.window))
        self.begun = [[0] * self.window for _ in range(inputs.relays)]  # requests of the last seconds
        self.kept = 0  # records that hosts keep because nobody leads
        self.recent = [0] * self.window  # requests of all relays
        self.usual = 0  # the most records that wait without a fault
        self.result = Result()

    def run(self, longest=200_000):
        """Runs until everything is as before the fault. Returns the result."""
        i, rate = self.i, formulas.rate(self.i)
        for second in range(longest):
            time = second - self.before  # the fault begins at 0
            if self.lost_zone and time == 0:
                self.lose_zone()
            if self.lost_zone and time == math.ceil(formulas.takeover(i)):
                self.take_over()
            self.arrive(second, time, rate)
            self.deliver(second, time)
            waiting = sum(p.waiting for p in self.partitions)
            self.result.peak_backlog = max(self.result.peak_backlog, waiting)
            # The first half of the time before the fault is for reaching the usual state.
            if -self.before / 2 <= time < 0:
                self.usual = max(self.usual, waiting)
            fault = max(self.outage, formulas.takeover(i) if self.lost_zone else 0)
            if time >= fault and waiting <= self.usual and not self.kept:
                self.result.recovered, self.result.waiting = time, waiting
                break
        return self.result

    def lose_zone(self):
        for relay in range(0, self.i.relays, self.i.zones):
            self.alive[relay] = False

    def take_over(self):
        living = [relay for relay in range(self.i.relays) if self.alive[relay]]
        for p, relay in enumerate(self.owner):
            if not self.alive[relay] and living:
                self.owner[p] = living[p % len(living)]

    def arrive(self, second, time, rate):
        isStalled = self.lost_zone and 0 <= time < self.i.election
        if self.kept and not isStalled:
            # The hosts publish what they kept, in its order; the first of it is as old as the fault.
            for partition in self.partitions:
                partition.add(self.before, partition.kept)
                partition.kept = 0
            self.kept = 0
        for partition in self.partitions:
            count = poisson(self.rng, rate * partition.weight)
            self.result.saved += count
            if isStalled:
                self.kept += count
                partition.kept += count
            else:
                partition.add(second, count)
        if isStalled:
            self.result.at_hosts = self.kept

    def deliver(self, second, time):
        i, used = self.i, 0
        isOut = 0 <= time < self.outage
        for relay in range(i.relays):
            own = [p for p in range(i.partitions) if self.owner[p] == relay]
            self.begun[relay][second % self.window] = 0
            free = int(i.requests * self.window / i.window * len(own) / i.partitions) - sum(self.begun[relay])
            if not self.alive[relay] or time < self.next_try[relay] or not own:
                continue
            if isOut:
                self.fail(relay, time)
                continue
            self.failures[relay] = 0
            records = int(formulas.relay_rate(i))
            # Which partition comes first changes, so that none waits for ever.
            for index in range(len(own)):
                partition = self.partitions[own[(index + second) % len(own)]]
                most = min(records, int(formulas.partition_rate(i)), max(0, free) * i.objects)
                count, oldest = partition.take(most)
                if count:
                    requests = math.ceil(count / i.objects)
                    records, used = records - count, used + requests
                    free -= requests
                    self.begun[relay][second % self.window] += requests
                    self.result.delivered += count
                    self.result.oldest = max(self.result.oldest, second - oldest)
        self.recent[second % self.window] = used
        self.result.peak_requests = max(self.result.peak_requests, sum(self.recent) * i.window / self.window)

    def fail(self, relay, time):
        self.failures[relay] += 1
        longest = min(self.i.retry_limit, 2.0 ** (self.failures[relay] - 1))
        self.next_try[relay] = time + longest * (0.5 + self.rng.random() / 2)
