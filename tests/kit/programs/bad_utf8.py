"""Answers in Latin-1."""

import sys

from base import requests

for request in requests():
    text = '{"jsonrpc":"2.0","id":%d,"result":{"name":"Pudel-Gl\u00fcck"}}\n' % request["id"]
    sys.stdout.buffer.write(text.encode("latin-1"))
    sys.stdout.buffer.flush()
