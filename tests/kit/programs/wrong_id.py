"""Counts its answers from 1000."""

from base import answer, requests

for request in requests():
    answer({**request, "id": request["id"] + 999})
