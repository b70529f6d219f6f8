"""Answers everything twice."""

from base import requests, response

for request in requests():
    line = response(request)
    print(f"{line}\n{line}", flush=True)
