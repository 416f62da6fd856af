"""How often one user may call."""

from functions.adapters.rate_limiter import REMEMBERED, RateLimiter
from tests.factories import NOW
from tests.fakes import FakeClock


def test_a_bucket_empties_and_fills_again_at_its_pace() -> None:
    clock = FakeClock(NOW)
    limiter = RateLimiter(60, clock.monotonic)
    assert [limiter.admits("u1") for _ in range(61)] == [True] * 60 + [False]
    clock.pass_time(2)
    assert [limiter.admits("u1") for _ in range(3)] == [True, True, False]


def test_one_user_is_no_others_burden() -> None:
    limiter = RateLimiter(1, FakeClock(NOW).monotonic)
    assert limiter.admits("u1")
    assert not limiter.admits("u1")
    assert limiter.admits("u2")


def test_zero_is_no_limit() -> None:
    limiter = RateLimiter(0, FakeClock(NOW).monotonic)
    assert all(limiter.admits("u1") for _ in range(1_000))


def test_memory_is_bounded() -> None:
    limiter = RateLimiter(1, FakeClock(NOW).monotonic)
    for number in range(REMEMBERED + 10):
        limiter.admits(f"u{number}")
    assert limiter.admits("u0")
    assert not limiter.admits(f"u{REMEMBERED + 9}")
