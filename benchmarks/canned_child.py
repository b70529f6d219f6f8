"""A child that knows no game: it answers with the replies of the recorded sample game.

    python benchmarks/canned_child.py GAME PLAYERS

It reads and writes as fast as an implementation in Python can: whole chunks, orjson both ways.
The first position answers `new_game`, the next one each `apply`, whatever the move is. So a parent
that sends the sample game gets right answers, and any other parent answers of the right size.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import orjson

import ludex
from ludex.protocol.describe import sample_game
from ludex.protocol.messages import CAPABILITIES

CHUNK = 1 << 16


def main() -> None:
    """Answer until there is no more input."""
    game = ludex.load(sys.argv[1], players=int(sys.argv[2]))
    lines = sample_game(game)
    positions = [
        line["response"]["result"] for line in lines if line["request"]["method"] != "end_game"
    ]
    hello = {
        "protocol": 1,
        "implementation": {"name": "canned", "version": "1", "language": "Python"},
        "games": [{"game": game.name, "edition": game.document["edition"]}],
        "capabilities": [*CAPABILITIES, "chance:tape"],
    }
    fixed: dict[str, Any] = {"hello": hello, "end_game": {}, "bye": {}}
    plies: dict[str, int] = {}
    rest = b""
    while chunk := os.read(0, CHUNK):
        *complete, rest = (rest + chunk).split(b"\n")
        replies = []
        for line in complete:
            request = orjson.loads(line)
            method = request["method"]
            if method in fixed:
                result = fixed[method]
            else:
                game_id = request["params"]["game_id"]
                ply = 0 if method == "new_game" else plies[game_id] + 1
                plies[game_id] = ply
                result = positions[ply % len(positions)]
            reply = {"jsonrpc": "2.0", "id": request["id"], "result": result}
            replies.append(orjson.dumps(reply, option=orjson.OPT_APPEND_NEWLINE))
        answer = memoryview(b"".join(replies))
        while answer:
            answer = answer[os.write(1, answer) :]


if __name__ == "__main__":
    main()
