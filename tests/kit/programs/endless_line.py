"""Writes a line that never ends."""

import sys

while True:
    sys.stdout.write("[" * 4096)
