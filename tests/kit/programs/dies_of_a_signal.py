"""Is killed from outside while a request is open."""

import os
import signal

from base import requests

for _ in requests():
    os.kill(os.getpid(), signal.SIGSEGV)
