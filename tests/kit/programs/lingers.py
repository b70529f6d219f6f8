"""Answers bye, and ends as its command line says: a status, a late line, or never."""

import sys
import time

from base import answer, requests

for request in requests():
    answer(request)
    if request["method"] == "bye":
        break
how = sys.argv[1]
if how == "line":
    print("goodbye!", flush=True)
elif how == "never":
    time.sleep(600)
else:
    sys.exit(int(how))
