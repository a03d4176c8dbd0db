"""The sources that each proof is about. If they change, its result is out of date."""

import hashlib
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What reads messages, keeps records and hands them over.
ENGINE = ["Sources/CSuites", "Sources/Calls", "Sources/Delivering", "Sources/Delivery", "Sources/HostCore/Loop",
          "Sources/JSONRPC", "Sources/Records", "Sources/Suites"]
STORAGE = ["Sources/CSuites", "Sources/Delivering", "Sources/Delivery", "Sources/Suites"]

# The suites that must notice a broken promise.
NOTICING = ["Tests/DeliveryTests/FlushTests.swift", "Tests/PushhostTests/Delivery/DestinationHostileTests.swift",
            "Tests/PushhostTests/Durability/DurabilityKillTests.swift",
            "Tests/PushhostTests/Durability/DurabilitySyncTests.swift",
            "Tests/PushhostTests/Durability/IdempotencyTests.swift", "Tests/SuitesTests/IdempotencyTests.swift"]
VALUES = ["Sources/CJansson", "Sources/JSON"]
MEMBERS = [*VALUES, "Sources/JSONRPC/MemberReader.swift", "Sources/JSONRPC/RPCError.swift", "Sources/Platform"]
WIRE = [*VALUES, "Sources/JSONRPC"]
NOTIFICATIONS = [*MEMBERS, "Sources/AttachmentRules", "Sources/BrazeRules", "Sources/CLocaleData", "Sources/Contract",
                 "Sources/NotificationHTML", "Sources/Notifications", "Sources/PropertyLists"]
DELIVERY = [*WIRE, "Sources/BrazeRules", "Sources/CSuites", "Sources/Contract", "Sources/Delivery", "Sources/Platform",
            "Sources/Records", "Sources/Suites"]
# What each target of the fuzzer reads with; the targets themselves are in Tests/FuzzTargets.
TARGETS = {
    "lines": [*VALUES, "Sources/JSONRPC/LineFramer.swift"],
    "headers": [*VALUES, "Sources/JSONRPC/HeaderFramer.swift"],
    "session": WIRE,
    "json": VALUES,
    "lists": VALUES,
    "plist": [*VALUES, "Sources/Platform", "Sources/PropertyLists"],
    "strings": [*VALUES, "Sources/Localization", "Sources/Platform", "Sources/PropertyLists"],
    "catalog": [*VALUES, "Sources/Localization", "Sources/Platform", "Sources/PropertyLists"],
    "format": [*VALUES, "Sources/Localization"],
    "syntax": [*VALUES, "Sources/LanguageServer"],
    "recording": [*WIRE, "Sources/Contract", "Sources/Platform", "Sources/Recording", "Sources/Records"],
    "payload": [*NOTIFICATIONS, "Sources/Localization"],
    "view": NOTIFICATIONS,
    "reply": NOTIFICATIONS,
    "delivery": DELIVERY,
    "source": DELIVERY,
    "monitoring": [*WIRE, "Sources/Platform", "Sources/Relay"],
    "preview": [*NOTIFICATIONS, "Sources/pushhost-preview"],
    "editor": [*WIRE, *NOTIFICATIONS, "Sources/LanguageServer", "Sources/Recording"],
    "liquid": ["plugins/liquid"],
}
# Each row, by a program and its options. The last three are about all sources, but would then never be up to date.
PROOFS = {
    "power-loss": STORAGE,
    "power-loss --self-test": STORAGE,
    "kills": ENGINE + ["Sources/pushhost/Outbox"],
    "kills --self-test": ENGINE,
    "faults": ENGINE,
    "leaks": ENGINE + ["Sources/Presenting"],
    "mutation": [*ENGINE, *NOTICING],
    **{f"fuzz --target {target}": folders for target, folders in TARGETS.items()},
    **{f"sanitizers --kind {kind}": [*ENGINE, "Sources/CSystem"] for kind in ("address", "thread")},
    "coverage": ENGINE,
}


def digest(paths):
    """A digest of the files below some folders."""
    names = subprocess.run(["git", "ls-files", "-z", "--", *paths], cwd=ROOT, capture_output=True, check=True).stdout
    result = hashlib.sha256()
    for name in sorted(filter(None, names.decode().split("\0"))):
        path = ROOT / name
        content = os.readlink(path).encode() if path.is_symlink() else path.read_bytes()
        result.update(f"{name}\0{len(content)}\0".encode() + content)
    return result.hexdigest()[:16]
