"""Re-check certificates with nothing but the standard library's rationals: interval arithmetic on recorded programs.

A certificate names inputs (rationals), a straight-line program, hypotheses that must hold and one comparison that must
fail. Every node is evaluated to an interval with rational ends; a comparison counts only if the intervals decide it.
This module imports ``fractions`` and ``json`` alone, so that trust in it asks for nothing else.
"""

from __future__ import annotations

import json
from fractions import Fraction

__all__ = ["check_certificate", "evaluate", "load"]

_DIGITS = 10**60  # resolution of roots, logarithms and exponentials
_BITS = 4000  # ends longer than this are rounded outward


class Interval:
    """[lo, hi] with rational ends; a point as long as only + - * / ** occurred and the ends stay short."""

    def __init__(self, lo: Fraction, hi: Fraction) -> None:
        self.lo, self.hi = _down(lo), -_down(-hi)

    def __add__(self, o: Interval) -> Interval:
        return Interval(self.lo + o.lo, self.hi + o.hi)

    def __sub__(self, o: Interval) -> Interval:
        return Interval(self.lo - o.hi, self.hi - o.lo)

    def __mul__(self, o: Interval) -> Interval:
        ends = [self.lo * o.lo, self.lo * o.hi, self.hi * o.lo, self.hi * o.hi]
        return Interval(min(ends), max(ends))

    def __truediv__(self, o: Interval) -> Interval:
        if o.lo <= 0 <= o.hi:
            raise ValueError("the program divides by an interval that contains 0")
        return self * Interval(1 / o.hi, 1 / o.lo)

    def power(self, n: int) -> Interval:
        result, base = Interval(Fraction(1), Fraction(1)), self
        if n % 2 == 0 and self.lo < 0:
            base = self.modulus()
        while n:
            if n & 1:
                result = result * base
            base, n = (base * base if n > 1 else base), n >> 1
        return result

    def modulus(self) -> Interval:
        if self.lo >= 0:
            return self
        return Interval(-self.hi, -self.lo) if self.hi <= 0 else Interval(Fraction(0), max(-self.lo, self.hi))

    def larger(self, o: Interval) -> Interval:
        return Interval(max(self.lo, o.lo), max(self.hi, o.hi))

    def root(self) -> Interval:
        if self.hi < 0:
            raise ValueError("the program takes the root of a negative number")
        return Interval(_root(max(self.lo, Fraction(0)))[0], _root(self.hi)[1])

    def exp(self) -> Interval:
        return Interval(_exp(self.lo)[0], _exp(self.hi)[1])

    def log(self) -> Interval:
        if self.lo <= 0:
            raise ValueError("the program takes the logarithm of what may not be positive")
        return Interval(_log(self.lo)[0], _log(self.hi)[1])

    def text(self) -> str:
        """A short number as it is, others by decimals of both ends."""
        if self.lo == self.hi and len(str(self.lo)) <= 60:
            return str(self.lo)
        return f"in [{float(self.lo):.12g}, {float(self.hi):.12g}]"


def _down(q: Fraction) -> Fraction:
    """q, or a shorter number just below it."""
    if q.numerator.bit_length() < _BITS and q.denominator.bit_length() < _BITS:
        return q
    shift = 600 - (q.numerator.bit_length() - q.denominator.bit_length())
    scaled = (q.numerator << shift) // q.denominator if shift >= 0 else q.numerator // (q.denominator << -shift)
    return Fraction(scaled, 1 << shift) if shift >= 0 else Fraction(scaled << -shift)


def _isqrt(n: int) -> int:
    """floor of the root of a whole number, by Newton's iteration."""
    if n < 2:
        return n
    x = 1 << ((n.bit_length() + 1) // 2)
    while (y := (x + n // x) // 2) < x:
        x = y
    return x


def _root(q: Fraction) -> tuple[Fraction, Fraction]:
    p, r = _isqrt(q.numerator), _isqrt(q.denominator)
    if p * p == q.numerator and r * r == q.denominator:
        return Fraction(p, r), Fraction(p, r)
    scale = _DIGITS * (1 + q.denominator // (q.numerator + 1))
    floor = _isqrt(q.numerator * scale * scale // q.denominator)
    return Fraction(floor, scale), Fraction(floor + 1, scale)


def _exp(q: Fraction) -> tuple[Fraction, Fraction]:
    """Taylor sum of exp(q / 2^s) with |q| / 2^s <= 1/2, whose tail is below the last term; then s squarings."""
    s = 0
    while abs(q) > Fraction(2**s, 2):
        s += 1
    x, term, total, k = q / 2**s, Fraction(1), Fraction(0), 0
    while k < 4 or abs(term) > Fraction(1, _DIGITS * 2**s):
        total, k = total + term, k + 1
        term = term * x / k
    value = Interval(total - 2 * abs(term), total + 2 * abs(term))
    for _ in range(s):
        value = value * value
    return value.lo, value.hi


def _log(q: Fraction) -> tuple[Fraction, Fraction]:
    """log q = s log 2 + 2 atanh((m - 1) / (m + 1)) with q = 2^s m, 1/2 <= m <= 2."""
    s = q.numerator.bit_length() - q.denominator.bit_length()
    m = q / 2**s if s >= 0 else q * 2**-s
    low, high = _atanh_log(m)
    low2, high2 = _atanh_log(Fraction(2))
    return low + (s * low2 if s >= 0 else s * high2), high + (s * high2 if s >= 0 else s * low2)


def _atanh_log(m: Fraction) -> tuple[Fraction, Fraction]:
    y = (m - 1) / (m + 1)
    term, total, k = 2 * y, Fraction(0), 1
    while abs(term) > Fraction(1, _DIGITS):
        total, k = total + term / k, k + 2
        term = term * y * y
    return total - 2 * abs(term) - Fraction(1, _DIGITS), total + 2 * abs(term) + Fraction(1, _DIGITS)


def evaluate(program: list[list[object]]) -> list[Interval]:
    """The interval of every node."""
    values: list[Interval] = []
    for op, *args in program:
        if op in ("in", "const"):
            q = Fraction(str(args[-1]))
            values.append(Interval(q, q))
            continue
        a = values[int(str(args[0]))]
        if op == "pow":
            n = int(str(args[1]))
            values.append(a.power(n) if n >= 0 else Interval(Fraction(1), Fraction(1)) / a.power(-n))
        elif op in ("sqrt", "exp", "log", "abs"):
            values.append({"sqrt": a.root, "exp": a.exp, "log": a.log, "abs": a.modulus}[str(op)]())
        else:
            b = values[int(str(args[1]))]
            operations = {"add": a.__add__, "sub": a.__sub__, "mul": a.__mul__, "div": a.__truediv__, "max": a.larger}
            values.append(operations[str(op)](b))
    return values


def _holds(relation: str, a: Interval, b: Interval) -> bool | None:
    """True, False, or None where the intervals do not decide."""
    if relation in (">=", ">"):
        return _holds({">=": "<=", ">": "<"}[relation], b, a)
    if relation == "==":
        return True if a.lo == a.hi == b.lo == b.hi else False if a.hi < b.lo or b.hi < a.lo else None
    if relation == "<=":
        return True if a.hi <= b.lo else False if a.lo > b.hi else None
    if relation == "<":
        return True if a.hi < b.lo else False if a.lo >= b.hi else None
    raise ValueError(f"unknown relation {relation!r}")


def check_certificate(certificate: dict[str, object]) -> tuple[bool, str]:
    """Does the recorded instance satisfy the hypotheses and break the claim? With the reason where not."""
    try:
        values = evaluate(certificate["program"])  # type: ignore[arg-type]
        for text, relation, i, j in certificate["hypotheses"]:  # type: ignore[attr-defined]
            if _holds(relation, values[i], values[j]) is not True:
                return False, f"the hypothesis '{text}' is not certain on the recorded instance"
        claim = certificate["claim"]
        lhs, rhs = values[claim["lhs"]], values[claim["rhs"]]  # type: ignore[index]
        if _holds(claim["relation"], lhs, rhs) is not False:  # type: ignore[index]
            return False, f"the claim is not certainly broken: {float(lhs.lo)} {claim['relation']} {float(rhs.hi)}"  # type: ignore[index]
    except (ArithmeticError, ValueError, KeyError, IndexError, TypeError) as error:
        return False, f"the certificate does not evaluate: {type(error).__name__}: {error}"
    return True, "broken as recorded"


def load(path: str) -> dict[str, object]:
    """A record from disk."""
    with open(path, encoding="utf-8") as file:
        record: dict[str, object] = json.load(file)
    return record
