"""Answers in Latin-1."""

import sys

from base import requests, response

for request in requests():
    line = response(request, {"name": "Pudel-Glück"}).replace("\\u00fc", "ü") + "\n"
    sys.stdout.buffer.write(line.encode("latin-1"))
    sys.stdout.buffer.flush()
