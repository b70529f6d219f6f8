"""Leaves out the answer to the second request."""

from base import answer, requests

for request in requests():
    if request["id"] != 2:
        answer(request)
