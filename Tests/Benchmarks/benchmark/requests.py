"""The requests that the rows send, and files of them."""

import random
import threading
import uuid

from .tools import WORK

PING = '{"jsonrpc":"2.0","id":%d,"method":"ping"}'
SAVE = (
    '{"jsonrpc":"2.0","id":%d,"method":"saveCustomEvent","params":'
    '{"suite":"bench","name":"Completed Match Game","properties":{"Score":6}}}'
)
RECEIVE = (
    '{"jsonrpc":"2.0","id":1,"method":"didReceive","params":'
    '{"payload":{"aps":{"alert":"x","category":"lab_register"}}}}'
)
INTERACT = (
    '{"jsonrpc":"2.0","id":%d,"method":"interact","params":'
    '{"notification":"%s","element":"email","value":"ada@example.com"}}'
)
PENDING = '{"jsonrpc":"2.0","id":%d,"method":"pending","params":{"suite":"bench","limit":1000}}'
FLUSH = '{"jsonrpc":"2.0","id":%d,"method":"flushPending","params":{"suite":"bench","limit":1000}}'
FLUSH_TO = (
    '{"jsonrpc":"2.0","id":%d,"method":"flushPending","params":'
    '{"suite":"bench","to":"braze","user":{"external_id":"bench"}}}'
)
# The records of one user in the row `flush-mix`; USER is replaced by the user's id.
MIX = tuple(
    '{"jsonrpc":"2.0","id":%d,"method":"' + method + '","params":'
    '{"suite":"bench","user":{"external_id":"user-USER"},' + members + "}}"
    for method, members in (
        ("saveCustomEvent", '"name":"Completed Match Game","properties":{"Score":6}'),
        ("saveCustomEvent", '"name":"Registered for Certification"'),
        ("saveCustomAttribute", '"key":"Certification Registration Email","value":"user-USER@example.com"'),
        ("saveUserAttribute", '"field":"email","value":"user-USER@example.com"'),
    )
)
USERS = 10_000

writing = threading.Lock()


def file_of(name, count, request):
    """A file of so many requests; `request` makes the text of one from its number."""
    path = WORK / f"{name}-{count}.jsonl"
    with writing:
        if not path.exists():
            with path.open("w") as file:
                file.writelines(request(number).replace("%d", str(number)) + "\n" for number in range(1, count + 1))
    return path


def pings(count):
    return file_of("pings", count, lambda _: PING)


def saves(count, mix=False, keys=None):
    """A file of requests that save events, or records of many users, optionally with idempotency keys."""
    generator = random.Random(1)

    def request(number):
        if keys:
            # Keys as this project's clients create them, or random ones, as many other programs use.
            random_key = uuid.UUID(int=generator.getrandbits(128), version=4)
            key = f"Qx7k2Pz0aLrT.{number}" if keys == "counted" else random_key
            return SAVE[: -len("}}")] + f',"idempotencyKey":"{key}"' + "}}"
        if not mix:
            return SAVE
        return MIX[number % len(MIX)].replace("USER", f"{number // len(MIX) % USERS:04}")

    return file_of("-".join(filter(None, ("saves", "mix" if mix else "", keys))), count, request)
