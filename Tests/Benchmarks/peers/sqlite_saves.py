"""Durable saves by Python's sqlite3: one transaction for each 256 KiB of input, or with `each` for each save."""

import json
import sqlite3
import sys
import time

CHUNK = 256 * 1024


def requests(lines):
    for line in lines:
        message = json.loads(line)
        params = message["params"]
        properties = json.dumps(params["properties"], separators=(",", ":"))
        yield message["id"], (0, params["name"], properties, time.time_ns() // 1_000_000)


def main(path, each):
    database = sqlite3.connect(path, isolation_level=None)
    database.executescript(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "CREATE TABLE pending (id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, name TEXT NOT NULL,"
        " value TEXT, time INTEGER NOT NULL);"
    )
    while lines := sys.stdin.readlines(1 if each else CHUNK):
        replies = []
        database.execute("BEGIN IMMEDIATE")
        for number, row in requests(lines):
            saved = database.execute("INSERT INTO pending (kind, name, value, time) VALUES (?, ?, ?, ?)", row).lastrowid
            replies.append(json.dumps({"jsonrpc": "2.0", "id": number, "result": {"id": saved}}) + "\n")
        database.execute("COMMIT")
        sys.stdout.write("".join(replies))
        sys.stdout.flush()


main(sys.argv[1], sys.argv[2:] == ["each"])
