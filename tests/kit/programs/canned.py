"""Answers very fast with a line that was made beforehand; for measuring the driver."""

import os
import re

REST = b',"result":' + b'{"actors":["p1"],"outcome":null,"state":{"row":[%s]}}' % b",".join(
    [b'"green-left"'] * 40
)
rest = b""
while chunk := os.read(0, 1 << 16):
    *lines, rest = (rest + chunk).split(b"\n")
    data = b"".join(
        b'{"jsonrpc":"2.0","id":' + re.search(rb'"id":(\d+)', line)[1] + REST + b"}\n"
        for line in lines
    )
    while data:
        data = data[os.write(1, data) :]
