"""Answers the first request without ever stopping."""

from base import requests, response

for request in requests():
    while True:
        print(response(request))
