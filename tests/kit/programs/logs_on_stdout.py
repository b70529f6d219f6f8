"""Prints what it does where the answers go."""

from base import answer, requests

for request in requests():
    answer(request)
    print("played", request["method"], flush=True)
