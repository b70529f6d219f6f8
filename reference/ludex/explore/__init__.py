"""Exploring a spec by playing it: what static checks cannot see.

``explore``   random games with every player count and reading, and the report
``closely``   one position: legal moves against refusals, twins, leaks, symmetries
``redeal``    dealing again whatever a player does not see
``coverage``  which rules fired
"""
