"""Writes 1 MiB to standard error for each request, and answers it."""

import sys

from base import answer, requests

for request in requests():
    for number in range(16384):
        sys.stderr.write(f"{request['id']:>3} {number:>5} {'.' * 53}\n")
    sys.stderr.flush()
    answer(request)
