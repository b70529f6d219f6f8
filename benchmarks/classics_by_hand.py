"""Tic-tac-toe, Connect Four and Kuhn poker as a Python programmer would write them: the peers.

Each has `over`, `legal_moves`, `play` and `returns`, and knows its own game only.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["ConnectFour", "KuhnPoker", "TicTacToe"]

EMPTY = -1


def lines_of(columns: int, rows: int, length: int) -> list[list[int]]:
    """Return the lines of a board, as cells numbered row by row."""
    found = []
    for x in range(columns):
        for y in range(rows):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                x_end, y_end = x + (length - 1) * dx, y + (length - 1) * dy
                if 0 <= x_end < columns and y_end < rows:
                    found.append([(y + k * dy) * columns + x + k * dx for k in range(length)])
    return found


def others_in_line(cells: int, lines: list[list[int]]) -> list[list[list[int]]]:
    """Return, for each cell, the other cells of each line through it."""
    return [[[c for c in line if c != cell] for line in lines if cell in line]
            for cell in range(cells)]


TIC_TAC_TOE = others_in_line(9, lines_of(3, 3, 3))
CONNECT_FOUR = others_in_line(42, lines_of(7, 6, 4))


class TicTacToe:
    """A game of tic-tac-toe; a move is a cell."""

    def __init__(self) -> None:
        self.board = [EMPTY] * 9
        self.turn = 0
        self.left = 9
        self.winner = EMPTY
        self.over = False

    def legal_moves(self) -> list[int]:
        return [cell for cell, mark in enumerate(self.board) if mark == EMPTY]

    def play(self, cell: int) -> None:
        board, turn = self.board, self.turn
        board[cell] = turn
        self.left -= 1
        for a, b in TIC_TAC_TOE[cell]:
            if board[a] == turn and board[b] == turn:
                self.winner = turn
                self.over = True
                return
        self.over = not self.left
        self.turn = 1 - turn

    def returns(self) -> list[int]:
        if self.winner == EMPTY:
            return [0, 0]
        return [1, -1] if self.winner == 0 else [-1, 1]


class ConnectFour:
    """A game of Connect Four; a move is a column."""

    def __init__(self) -> None:
        self.board = [EMPTY] * 42
        #: the lowest empty cell of each column
        self.next = list(range(7))
        self.turn = 0
        self.left = 42
        self.winner = EMPTY
        self.over = False

    def legal_moves(self) -> list[int]:
        return [column for column, cell in enumerate(self.next) if cell < 42]

    def play(self, column: int) -> None:
        board, turn = self.board, self.turn
        cell = self.next[column]
        board[cell] = turn
        self.next[column] = cell + 7
        self.left -= 1
        for a, b, c in CONNECT_FOUR[cell]:
            if board[a] == turn and board[b] == turn and board[c] == turn:
                self.winner = turn
                self.over = True
                return
        self.over = not self.left
        self.turn = 1 - turn

    def returns(self) -> list[int]:
        if self.winner == EMPTY:
            return [0, 0]
        return [1, -1] if self.winner == 0 else [-1, 1]


class KuhnPoker:
    """A game of Kuhn poker; a move is 0 (check, fold) or 1 (bet, call).

    Parameters
    ----------
    random : callable
        Gives numbers from 0 up to 1.
    """

    def __init__(self, random: Callable[[], float]) -> None:
        deck = [0, 1, 2]
        self.cards = [deck.pop(int(random() * 3)), deck.pop(int(random() * 2))]
        self.paid = [1, 1]
        self.moves: list[int] = []
        self.turn = 0
        self.over = False
        self.winner = EMPTY

    def legal_moves(self) -> list[int]:
        return [0, 1]

    def play(self, move: int) -> None:
        moves, turn = self.moves, self.turn
        before = moves[-1] if moves else None
        moves.append(move)
        self.paid[turn] += move
        if before == 1 and move == 0:
            self.over = True
            self.winner = 1 - turn
        elif before == move:
            self.over = True
            self.winner = 0 if self.cards[0] > self.cards[1] else 1
        self.turn = 1 - turn

    def returns(self) -> list[int]:
        gain = self.paid[1 - self.winner]
        return [gain, -gain] if self.winner == 0 else [-gain, gain]
