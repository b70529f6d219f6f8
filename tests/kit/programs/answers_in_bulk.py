"""Reads 100 requests before it answers the first of them; its answers are long."""

from base import answer, requests

todo = []
for request in requests():
    todo.append(request)
    if len(todo) == 100:
        for one in todo:
            answer(one, {"text": "x" * 20000})
        todo.clear()
