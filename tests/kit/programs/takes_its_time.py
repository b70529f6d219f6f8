"""Waits before each answer as long as its command line says, in seconds."""

import sys
import time

from base import answer, requests

for request in requests():
    time.sleep(float(sys.argv[1]))
    answer(request)
