"""Closes its input after the first request, and does not go away."""

import os
import sys
import time

from base import answer, requests

answer(next(requests()))
sys.stdin.close()
os.close(0)
time.sleep(600)
