"""Answers each pair of requests in reverse."""

from base import answer, requests

todo = []
for request in requests():
    todo.append(request)
    if len(todo) == 2:
        answer(todo.pop())
        answer(todo.pop())
