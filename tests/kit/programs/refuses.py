"""Answers what is not JSON with an error, and goes on."""

import json
import sys

from base import answer

for line in sys.stdin.buffer:
    try:
        request = json.loads(line)
    except ValueError:
        error = {"code": -32700, "message": "not JSON", "data": {"bytes": len(line)}}
        print(json.dumps({"jsonrpc": "2.0", "id": None, "error": error}), flush=True)
    else:
        answer(request)
