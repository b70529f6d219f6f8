"""Does not end when asked to, neither by a signal nor by the end of its input."""

import signal
import time

from base import answer, requests

signal.signal(signal.SIGTERM, signal.SIG_IGN)
for request in requests():
    answer(request)
while True:
    time.sleep(600)
