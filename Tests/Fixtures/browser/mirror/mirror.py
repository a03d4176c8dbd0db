#!/usr/bin/env python3
"""Answers a notification with the reply that its payload contains, or with the one in the file that it names."""

import json
import sys
from pathlib import Path

for message in map(json.loads, sys.stdin):
    if "id" not in message:
        continue
    result = {"version": "1.0"} if message["method"] == "activate" else {}
    if message["method"] == "didReceive":
        payload = message["params"]["request"]["content"]["userInfo"]
        if "replyFile" in payload:
            result = json.loads(Path(payload["replyFile"]).read_text(encoding="utf-8"))
        else:
            result = payload["reply"]
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
