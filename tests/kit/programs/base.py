"""What the miniatures share: reading requests and writing answers."""

import json
import sys


def requests():
    for line in sys.stdin:
        yield json.loads(line)


def response(request, result=None):
    found = {"jsonrpc": "2.0", "id": request["id"], "result": result or {"echo": request["params"]}}
    return json.dumps(found)


def answer(request, result=None):
    print(response(request, result), flush=True)
