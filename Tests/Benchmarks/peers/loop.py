"""The loop that most Python programs use: read a line, json.loads, write one line and flush."""

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
