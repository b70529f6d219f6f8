"""Closes its output, and does not go away."""

import os
import time

os.close(1)
time.sleep(600)
