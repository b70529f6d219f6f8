"""Starts a helper that ignores SIGTERM and outlives it; argument: how it ends itself."""

import os
import signal
import sys
import time

from base import answer, requests

child = os.fork()
if child == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.write(2, b"ready\n")
    while True:
        time.sleep(600)
for request in requests():
    if request["method"] == "bye" and sys.argv[1] == "hangs":
        time.sleep(600)
    if request["method"] == "bye" and sys.argv[1] == "exits":
        sys.exit(1)
    answer(request, {"child": child})
    if request["method"] == "bye":
        break
