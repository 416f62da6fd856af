"""What an instance keeps by key: those that were put in last."""

from shared.latest import Latest


def test_the_oldest_goes_and_what_is_put_in_again_is_the_newest() -> None:
    kept: Latest[str, int] = Latest(2)
    assert kept.put("하나", 1) == 1
    kept.put("둘", 2)
    kept.put("하나", 10)
    kept.put("셋", 3)
    assert [kept.get(key) for key in ("하나", "둘", "셋")] == [10, None, 3]


def test_what_is_forgotten_is_gone() -> None:
    kept: Latest[str, int] = Latest(2)
    kept.put("하나", 1)
    kept.forget("하나")
    kept.forget("둘")
    assert kept.get("하나") is None
