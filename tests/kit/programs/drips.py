"""Writes its answer so slowly that it never gets done, but is never silent either."""

import sys
import time

from base import requests, response

for request in requests():
    for letter in response(request):
        sys.stdout.write(letter)
        sys.stdout.flush()
        time.sleep(0.05)
