#!/usr/bin/env python3
"""Runs hosts, relays and a cluster in networks of their own, harms the networks, and audits each record.

    fleet_networks.py [options] PROGRAM NATS-SERVER

Each host, relay and server has a network namespace on one bridge. While the hosts save, links are cut, servers and
relays lose packets, and the clocks of hosts and relays are wrong; their bundles have the machine's clock. In the end
each record is looked for at a fake of /users/track. Needs root, and Debian's iproute2, nftables and gcc. All of it
is gone when the script ends, however it ends. Exit code 1 says that a record was lost, came too often or too early.
"""

import argparse
import base64
import datetime
import http.client
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/Benchmarks/fleet"))

import measure  # noqa: E402

TRACK = "10.77.0.1"
KEY = "test-key"
USERS = 10
# A request, and so a record, that takes longer than this is lost.
PATIENCE = 600


class Network:
    """The network of one process: a namespace with a link to the bridge."""

    def __init__(self, name, address):
        self.name, self.address = name, address

    def start(self, command, **options):
        return subprocess.Popen(["nsenter", f"--net=/run/netns/{self.name}", *command], **options)

    def set_link(self, state):
        subprocess.run(["ip", "link", "set", f"v-{self.name}", state], check=True)

    def lose_packets(self, percent):
        rule = f"iif eth0 numgen random mod 100 < {percent} counter drop"
        self.nft(f"table inet loss {{ chain input {{ type filter hook input priority 0; {rule}; }}; }}")

    def lost_packets(self):
        return int(re.search(r"counter packets (\d+)", self.nft("list table inet loss"))[1])

    def nft(self, command):
        process = self.start(["nft", command], stdout=subprocess.PIPE, text=True)
        output = process.communicate()[0]
        if process.returncode != 0:
            raise SystemExit("nft failed")
        return output


def make_networks(networks):
    run("mount", "-t", "tmpfs", "tmpfs", "/run")
    os.mkdir("/run/netns")
    run("ip", "-batch", "-", text="link set lo up\nlink add fleet type bridge\n"
        f"addr add {TRACK}/16 dev fleet\nlink set fleet up\n")
    for network in networks:
        name = network.name
        run("ip", "netns", "add", name)
        run("ip", "-batch", "-", text=f"link add v-{name} type veth peer name eth0 netns {name}\n"
            f"link set v-{name} master fleet up\n")
        run("ip", "-n", name, "-batch", "-", text=f"addr add {network.address}/16 dev eth0\n"
            "link set eth0 up\nlink set lo up\n")


def run(*command, text=""):
    subprocess.run(command, input=text.encode(), check=True)


class Cuts(threading.Thread):
    """Cuts links, for 50 ms to 20 s, until it is stopped."""

    def __init__(self, seed, hosts, relays, servers):
        super().__init__(daemon=True)
        self.chance, self.groups = random.Random(seed), (hosts, relays, servers)
        self.ending, self.counts, self.cut = threading.Event(), Counter(), {}

    def run(self):
        while not self.ending.wait(self.chance.uniform(0.2, 1)):
            self.mend(time.monotonic())
            kind = self.chance.choices((0, 1, 2), (6, 2, 1))[0]
            free = [one for one in self.groups[kind] if one not in self.cut]
            # Two of three servers are the quorum.
            if kind == 2 and len(free) < len(self.groups[2]):
                continue
            for one in self.chance.sample(free, min(len(free), 10 if kind == 0 else 1)):
                self.cut[one] = time.monotonic() + self.chance.choice((0.05, 0.3, 2, 8, 20))
                one.set_link("down")
                self.counts[("hosts", "relays", "servers")[kind]] += 1
        self.mend(float("inf"))

    def mend(self, now):
        for one in [one for one, end in self.cut.items() if end <= now]:
            del self.cut[one]
            one.set_link("up")

    def stop(self):
        self.ending.set()
        self.join()


class Host:
    """A host that publishes what it saves; the number of its host and its own identify a record everywhere."""

    def __init__(self, number, network, command, environment):
        self.number, self.saved = number, 0
        self.process = network.start(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=open(f"host-{number}.log", "wb"))

    def save(self, count):
        lines = [json.dumps(self.request(number)) for number in range(self.saved, self.saved + count)]
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()
        for _ in range(count):
            reply = json.loads(self.process.stdout.readline())
            if "id" not in reply.get("result", {}):
                raise SystemExit(f"host {self.number} did not save: {reply}")
        self.saved += count

    def request(self, number):
        user = {"external_id": f"user-{self.number}-{number % USERS}"}
        if is_increment(number):
            name, params = "saveCustomAttribute", {"key": f"i-{self.number}-{number}", "value": {"inc": 1}}
        else:
            name, params = "saveCustomEvent", {"name": "Event", "properties": {"host": self.number, "n": number}}
        return {"jsonrpc": "2.0", "id": number, "method": name, "params": {**params, "user": user}}


def is_increment(number):
    return number % 50 == 49


def ask(address, port, method, path, body=None):
    connection = http.client.HTTPConnection(address, port, timeout=60)
    connection.request(method, path, None if body is None else json.dumps(body))
    return json.loads(connection.getresponse().read())


class DeadLetters:
    """The records in the stream of dead letters; each is read once."""

    def __init__(self, servers):
        self.servers, self.found = servers, {}

    def read(self):
        """The dead letters, as the first server says that answers; None if none does, or there is no stream yet."""
        for server in self.servers:
            try:
                return self.ask(server)
            # A cluster without a leader gives an empty answer.
            except (OSError, ValueError, LookupError):
                continue
        return None

    def ask(self, server):
        accounts = ask(server.address, 8222, "GET", "/jsz?streams=1")["account_details"]
        streams = {one["name"]: one["state"] for account in accounts for one in account["stream_detail"]}
        last = streams["PUSHHOST"] and streams.get("PUSHHOST_DEAD", {"last_seq": 0})["last_seq"]
        if last > len(self.found):
            connection = measure.Connection(4222, server.address)
            for sequence in range(len(self.found) + 1, last + 1):
                message = connection.ask("STREAM.MSG.GET.PUSHHOST_DEAD", {"seq": sequence})["message"]
                self.found[sequence] = self.record(json.loads(base64.b64decode(message["data"])))
        return set(self.found.values())

    @staticmethod
    def record(value):
        if "key" in value:
            return tuple(map(int, value["key"].split("-")[1:]))
        return value["properties"]["host"], value["properties"]["n"]


def records(processed):
    """The records of an object that the fake processed; an attributes object may contain several."""
    value = processed["object"]
    if processed["array"] == "events":
        return [(value["properties"]["host"], value["properties"]["n"])]
    return [tuple(map(int, name.split("-")[1:])) for name in value if name.startswith("i-")]


class Audit:
    """What became of each record."""

    def __init__(self, hosts, log, letters):
        arrived = [record for processed in log for record in records(processed)]
        counts = Counter(arrived)
        saved = [(host.number, number) for host in hosts for number in range(host.saved)]
        self.lost = [record for record in saved if record not in counts and record not in letters]
        self.doubles = len(arrived) - len(counts)
        self.too_often = [record for record, count in counts.items() if count > (1 if is_increment(record[1]) else 2)]
        # The time of a record is that of its host, whose clock is wrong.
        times = [time.time() - parsed(one["object"]["time"]) for one in log if one["array"] == "events"]
        self.skew = (min(times), max(times))
        self.too_early, last, seen = [], {}, set()
        for host, number in arrived:
            if is_increment(number) or (host, number) in seen:
                continue
            seen.add((host, number))
            if number < last.get((host, number % USERS), -1):
                self.too_early.append((host, number))
            last[host, number % USERS] = number


def parsed(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class Fleet:
    """Everything that runs, and the networks between."""

    def __init__(self, options):
        self.options, self.chance = options, random.Random(options.seed)
        self.servers = [Network(f"s{i}", f"10.77.1.{i + 1}") for i in range(3)]
        self.relays = [Network(f"r{i}", f"10.77.2.{i + 1}") for i in range(options.relays)]
        self.networks = [Network(f"h{i}", f"10.77.{3 + i // 200}.{i % 200 + 1}") for i in range(options.hosts)]
        self.letters = DeadLetters(self.servers)
        make_networks(self.servers + self.relays + self.networks)
        run("gcc", "-shared", "-fPIC", "-O2", "-o", "wrong_clock.so", str(ROOT / "Tests/Referees/wrong_clock.c"))
        for one in self.servers + self.relays:
            one.lose_packets(options.loss)
        self.port = self.start_track()
        self.start_servers()
        for one in self.relays:
            self.start_relay(one)
        self.hosts = [self.start_host(number, one) for number, one in enumerate(self.networks)]

    def start_track(self):
        script = ROOT / "Tests/Fixtures/users-track/users_track_server.py"
        own = ["--address", TRACK, "--key", KEY, "--rate-limit", "100000", "--until-eof"]
        self.track = subprocess.Popen([sys.executable, script, *own], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return int(self.track.stdout.readline())

    def start_servers(self):
        routes = ",".join(f"nats://{one.address}:6222" for one in self.servers)
        for one in self.servers:
            own = ["-a", one.address, "-p", "4222", "-m", "8222", "-js", "-sd", f"store-{one.name}", "-n", one.name]
            cluster = ["--cluster_name", "fleet", "--cluster", f"nats://{one.address}:6222", "--routes", routes]
            one.start([self.options.server, *own, *cluster], stderr=open(f"{one.name}.log", "wb"))

    def start_relay(self, one):
        # The key may be sent without TLS only on the relay's own machine.
        proxy = [sys.executable, ROOT / "Tests/Fixtures/network/proxy.py", f"{TRACK}:{self.port}"]
        one.proxy = one.start(proxy, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        endpoint = f"http://127.0.0.1:{int(one.proxy.stdout.readline())}"
        command = self.command("relay", "--from", "nats", "--to", "braze")
        environment = {**self.environment(), "BRAZE_REST_ENDPOINT": endpoint}
        one.start(command, env=environment, stdout=subprocess.DEVNULL, stderr=open(f"{one.name}.log", "wb"))

    def start_host(self, number, network):
        policy = ["--flush-policy", "immediate", "--flush-to", "nats", "--no-control"]
        command = self.command("serve", "--data", f"data-{number}", *policy)
        return Host(number, network, command, self.environment())

    def command(self, *words):
        bundles = ["--plugins", str(ROOT / "plugins/nats"), "--plugins", str(ROOT / "plugins")]
        return [self.options.program, *words, *bundles, "--retry-base", "50", "--retry-limit", "1000"]

    def environment(self):
        """The environment of a program whose clock is wrong."""
        return {
            "PATH": os.environ["PATH"],
            "LD_PRELOAD": os.path.abspath("wrong_clock.so"),
            "WRONG_CLOCK": str(self.chance.randint(-self.options.skew, self.options.skew)),
            "NATS_URL": ",".join(f"nats://{one.address}:4222" for one in self.servers),
            "NATS_REPLICAS": "3",
            "NATS_LEASE_SECONDS": "10",
            "BRAZE_API_KEY": KEY,
            "BRAZE_RATE_REQUESTS": "100000",
        }

    def save(self, count):
        for host in self.hosts:
            host.save(count)

    # MARK: What arrived

    def log(self):
        return ask(TRACK, self.port, "GET", "/control/log")["objects"]

    def wait(self):
        """Waits until each record has arrived or is a dead letter."""
        total, end = sum(host.saved for host in self.hosts), time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = {record for processed in self.log() for record in records(processed)}
            letters = self.letters.read()
            if letters is not None and len(found | letters) >= total:
                return
            time.sleep(1)
        print(f"{total - len(found)} of {total} records did not arrive in {PATIENCE} s", file=sys.stderr)

    def lost_packets(self):
        return sum(one.lost_packets() for one in self.servers + self.relays)


def referee(options):
    start = time.monotonic()
    fleet = Fleet(options)
    # Each has published something before the first cut.
    fleet.save(10)
    fleet.wait()
    print(f"{options.hosts} hosts, {options.relays} relays and 3 servers run after {time.monotonic() - start:.0f} s")
    cuts = Cuts(options.seed, fleet.networks, fleet.relays, fleet.servers)
    cuts.start()
    begin = time.monotonic()
    while fleet.hosts[0].saved < options.records:
        fleet.save(min(20, options.records - fleet.hosts[0].saved))
    saved = time.monotonic() - begin
    cuts.ending.wait(max(0, options.seconds - saved))
    arrived = len(fleet.log())
    cuts.stop()
    mended = time.monotonic()
    fleet.wait()
    caught_up = time.monotonic() - mended
    letters = fleet.letters.read() or set()
    audit = Audit(fleet.hosts, fleet.log(), letters)
    harm = ", ".join(f"{cuts.counts[kind]} of {kind}" for kind in ("hosts", "relays", "servers"))
    print(f"{sum(host.saved for host in fleet.hosts)} records were saved in {saved:.0f} s, by clocks that were wrong:")
    print(f"the records are {audit.skew[0]:.0f} to {audit.skew[1]:.0f} s old")
    print(f"cuts in {mended - begin:.0f} s: {harm}; {options.loss} % of the packets to servers and relays were lost, "
          f"{fleet.lost_packets()} packets")
    print(f"{arrived} objects had arrived when the last link was mended, all {caught_up:.1f} s later")
    print(f"{len(audit.lost)} lost, {len(letters)} dead letters, {audit.doubles} doubles, "
          f"{len(audit.too_often)} too often, {len(audit.too_early)} too early")
    return 1 if audit.lost or audit.too_often or audit.too_early else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("server", type=os.path.abspath)
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--relays", type=int, default=4)
    parser.add_argument("--records", type=int, default=250, help="of each host (default 250)")
    parser.add_argument("--seconds", type=int, default=120, help="how long links are cut (default 120)")
    parser.add_argument("--loss", type=int, default=3, help="percent of packets (default 3)")
    parser.add_argument("--skew", type=int, default=120, help="seconds (default 120)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="keep the logs and suites in this folder")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    for program, package in (("ip", "iproute2"), ("nft", "nftables"), ("gcc", "gcc")):
        if not shutil.which(program):
            raise SystemExit(f"{program} is missing; apt-get install {package}")
    if not options.inside:
        # Whatever the script makes ends with its namespaces.
        space = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        os.execvp("unshare", [*space, sys.executable, "-B", __file__, "--inside", *sys.argv[1:]])
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        os.chdir(options.keep)
        sys.exit(referee(options))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.exit(referee(options))


if __name__ == "__main__":
    main()
