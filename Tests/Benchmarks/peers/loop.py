"""The loop that most Python programs write: a line, json.loads, one flushed line."""

import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    reply = {"jsonrpc": "2.0", "id": request["id"]}
    if request["method"] == "ping":
        reply["result"] = {"version": "1.0"}
    else:
        reply["error"] = {"code": -32601, "message": "Method not found"}
    print(json.dumps(reply), flush=True)
