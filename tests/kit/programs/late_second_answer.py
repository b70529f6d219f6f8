"""Answers the first request again when it has been sent the second one."""

from base import answer, requests

first = None
for request in requests():
    first = first or request
    answer(first)
