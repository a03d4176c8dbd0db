"""The faults queued for requests; README.md describes them."""

import collections
import random
import threading

import rate

ANY = object
# The members that each kind of fault may have, with their types.
KINDS = {
    "none": {},
    "drop": {"processed": bool, "sent": int, "early": bool, "reset": bool, "sparesEmpty": bool},
    "stall": {"processed": bool, "sent": int},
    "answer": {
        "processed": bool,
        "status": int,
        "headers": dict,
        "body": ANY,
        "merge": dict,
        "pace": int,
        "close": bool,
    },
    "tooMany": {"mode": str, "seconds": (int, float)},
    "endless": {"processed": bool, "status": int},
    "kill": {"processed": bool, "victim": (int, str)},
}
NONE = {"fault": "none"}


def checked(fault):
    """The fault; raises ValueError for a mistake, so that a test never runs without the intended fault."""
    if not isinstance(fault, dict) or fault.get("fault") not in KINDS:
        raise ValueError(f"{fault} is no fault; there are {', '.join(KINDS)}")
    known = KINDS[fault["fault"]]
    for name, value in fault.items():
        if name != "fault" and (name not in known or not isinstance(value, known[name])):
            raise ValueError(f"{fault}: '{name}' is unknown or of a wrong type")
    if fault["fault"] == "tooMany" and fault.get("mode", "epoch") not in rate.REFUSALS:
        raise ValueError(f"{fault}: 'mode' must be one of {', '.join(rate.REFUSALS)}")
    return fault


class Faults:
    """A queue with one fault for each request; while it is empty, faults are chosen at random."""

    def __init__(self):
        self.lock = threading.Lock()
        self.queue = collections.deque()
        self.chance, self.probability, self.choices = random.Random(0), 0, []

    def add(self, faults, replace=False):
        faults = [checked(fault) for fault in faults]
        with self.lock:
            if replace:
                self.queue.clear()
            self.queue.extend(faults)
            return len(self.queue)

    def leave_to_chance(self, seed, probability, faults):
        faults = [checked(fault) for fault in faults]
        with self.lock:
            self.chance, self.probability, self.choices = random.Random(seed), probability, faults

    def next(self):
        """The fault of the next request."""
        with self.lock:
            if self.queue:
                return self.queue.popleft()
            if self.choices and self.chance.random() < self.probability:
                return self.chance.choice(self.choices)
            return NONE


class Culprits:
    """Names that make an object be refused: a property of an event, or an attribute.

    `index` refuses the object alone, with its index; `refuse` the whole request,
    with status 400 and without saying why; `tooLarge` the same with status 413.
    """

    ANSWERS = ("index", "refuse", "tooLarge")

    def __init__(self):
        self.answers = {}

    def set(self, name, answer):
        if not isinstance(name, str) or answer not in (None, *self.ANSWERS):
            raise ValueError(f"a culprit has a name and one of the answers {', '.join(self.ANSWERS)}, or null")
        others = {known: answer for known, answer in self.answers.items() if known != name}
        self.answers = others if answer is None else {**others, name: answer}

    def refuses(self, item):
        return self.find([item]) == "index"

    def find(self, items):
        """The answer to requests that contain one of the objects, the most severe first; or None."""
        found = set()
        for name, answer in self.answers.items():
            if any(name in item or name in (item.get("properties") or {}) for item in items):
                found.add(answer)
        return next((answer for answer in reversed(self.ANSWERS) if answer in found), None)
