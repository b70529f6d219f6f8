"""Answers every request, and ends when it is told to or has nothing more to read."""

from base import answer, requests

for request in requests():
    answer(request)
    if request["method"] == "bye":
        break
