"""Dies of an exception, and says so on standard error."""

from base import answer, requests

for request in requests():
    if request["id"] == 2:
        raise ZeroDivisionError("the pile is empty")
    answer(request)
