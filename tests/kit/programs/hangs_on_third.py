"""Answers two requests and then no more."""

import time

from base import answer, requests

for request in requests():
    if request["id"] == 3:
        time.sleep(600)
    answer(request)
