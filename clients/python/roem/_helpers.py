"""What follows from the rules and the notation, and is easily written wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from .contract import KlaverjasSeat, KlaverjasTeam

P = TypeVar("P")

SEATS: tuple[KlaverjasSeat, ...] = ("N", "E", "S", "W")
"""The seats of Klaverjas, in order of play."""


def team_of(seat: KlaverjasSeat) -> KlaverjasTeam:
    return "NS" if seat in ("N", "S") else "EW"


def seat_after(seat: KlaverjasSeat, turns: int = 1) -> KlaverjasSeat:
    """The seat that plays some turns after another: 1 is the next, 2 the partner."""
    return SEATS[(SEATS.index(seat) + turns) % 4]


def outcome_for(side: KlaverjasSeat | KlaverjasTeam, outcome: int, declarer: KlaverjasTeam) -> int:
    """An outcome as a seat or a team counts it. The outcome of an answer is that of the declarers, whoever asks and whoever is to play."""
    return outcome if (side == declarer or side in declarer) else -outcome


def seating(first: KlaverjasSeat, players: Sequence[P]) -> dict[KlaverjasSeat, P]:
    """Who sits where: the first player on the first seat, the others in order of play."""
    if len(players) != 4:
        raise ValueError(f"{len(players)} players, expected 4")
    return {seat_after(first, turns): player for turns, player in enumerate(players)}


def index(value: int | str) -> str:
    """The index of a deal or a seed, as the server reads it: a decimal text, because a number above 2^53 loses digits in JSON."""
    exact = int(value)
    if isinstance(value, float) or not 0 <= exact < 2**64:
        raise ValueError(f"{value!r} is not a whole number between 0 and 2^64 - 1")
    return str(exact)
