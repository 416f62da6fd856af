"""Made-up numbers, accounts, passwords and names of people who do not exist."""

import random
import string
from collections.abc import Callable

SPELLED = "공일이삼사오육칠팔구"
WORDS = "moon star sora hana river film cloud apple tiger summer".split()


def digits(chance: random.Random, count: int) -> str:
    return "".join(chance.choices(string.digits, k=count))


def grouped(*sizes: int) -> Callable[[random.Random], str]:
    """Digits in groups, the first of them no zero."""

    def number(chance: random.Random) -> str:
        first = str(chance.randint(1, 9))
        whole = first + digits(chance, sum(sizes) - 1)
        parts, done = [], 0
        for size in sizes:
            parts.append(whole[done : done + size])
            done += size
        return "-".join(parts)

    return number


def _birthday(chance: random.Random) -> str:
    return f"{chance.randint(50, 99)}{chance.randint(1, 12):02}{chance.randint(1, 28):02}"


def rrn(chance: random.Random) -> str:
    return f"{_birthday(chance)}-{chance.choice('12')}{digits(chance, 6)}"


def alien(chance: random.Random) -> str:
    return f"{_birthday(chance)}-{chance.choice('56')}{digits(chance, 6)}"


def mobile(chance: random.Random) -> str:
    return f"010-{chance.randint(2, 9)}{digits(chance, 3)}-{digits(chance, 4)}"


def landline(chance: random.Random) -> str:
    area = chance.choice(["02", "031", "051", "053", "062", "064"])
    return f"{area}-{chance.randint(2, 8)}{digits(chance, 2)}-{digits(chance, 4)}"


def international(chance: random.Random) -> str:
    return f"+82-10-{chance.randint(2, 9)}{digits(chance, 3)}-{digits(chance, 4)}"


def spelled_phone(chance: random.Random) -> str:
    return "공일공 " + " ".join(
        "".join(SPELLED[int(digit)] for digit in digits(chance, 4)) for _ in range(2)
    )


def luhn(start: str, length: int, chance: random.Random) -> str:
    body = start + digits(chance, length - len(start) - 1)
    doubled = [
        sum(divmod(2 * int(digit), 10)) if place % 2 == 0 else int(digit)
        for place, digit in enumerate(reversed(body))
    ]
    return body + str(-sum(doubled) % 10)


def card(chance: random.Random) -> str:
    number = luhn(chance.choice(["4", "51", "54", "9410", "6250"]), 16, chance)
    return "-".join(number[start : start + 4] for start in range(0, 16, 4))


def visa(chance: random.Random) -> str:
    number = luhn("4", 16, chance)
    return "-".join(number[start : start + 4] for start in range(0, 16, 4))


def amex(chance: random.Random) -> str:
    number = luhn("37", 15, chance)
    return f"{number[:4]}-{number[4:10]}-{number[10:]}"


def account(chance: random.Random) -> str:
    shape = chance.choice([(3, 3, 6), (3, 2, 6), (6, 2, 6), (4, 3, 6), (3, 6, 5)])
    return grouped(*shape)(chance)


def password(chance: random.Random) -> str:
    return chance.choice(WORDS) + digits(chance, chance.randint(2, 4))


def special_password(chance: random.Random) -> str:
    word = chance.choice(WORDS).capitalize()
    return f"{word}{chance.choice('!@#$%^&*')}{digits(chance, 3)}{chance.choice('!@#')}"


def email(chance: random.Random) -> str:
    host = chance.choice(["naver.com", "gmail.com", "example.co.kr", "hanmail.net"])
    return f"{chance.choice(WORDS)}.{digits(chance, 3)}@{host}"


VALUES: dict[str, Callable[[random.Random], str]] = {
    "rrn": rrn,
    "alien": alien,
    "mobile": mobile,
    "safe_number": lambda chance: f"0504-{digits(chance, 4)}-{digits(chance, 4)}",
    "landline": landline,
    "international": international,
    "voip": lambda chance: f"070-{chance.randint(4, 8)}{digits(chance, 3)}-{digits(chance, 4)}",
    "spelled_phone": spelled_phone,
    "card": card,
    "visa": visa,
    "amex": amex,
    "account": account,
    "kakaobank": lambda chance: f"3333-{digits(chance, 2)}-{digits(chance, 7)}",
    "tossbank": lambda chance: f"1000-{digits(chance, 4)}-{digits(chance, 4)}",
    "nonghyup": lambda chance: f"302-{digits(chance, 4)}-{digits(chance, 4)}-{digits(chance, 2)}",
    "saemaul": lambda chance: f"9002-{digits(chance, 4)}-{digits(chance, 4)}-{digits(chance, 1)}",
    "password": password,
    "special_password": special_password,
    "word_password": lambda chance: chance.choice(WORDS) + chance.choice(WORDS) + "!",
    "rrn_rest": lambda chance: chance.choice("1234") + digits(chance, 6),
    "mobile_rest": lambda chance: f"{chance.randint(2, 9)}{digits(chance, 3)}-{digits(chance, 4)}",
    "spaced6": lambda chance: f"{digits(chance, 3)} {digits(chance, 3)}",
    "pin": lambda chance: digits(chance, 4),
    "digits6": lambda chance: digits(chance, 6),
    "digits8": lambda chance: digits(chance, 8),
    "door": lambda chance: f"{digits(chance, 4)}*",
    "korean_password": lambda chance: (
        f"{chance.choice(['하나', '소리', '달빛'])}{digits(chance, 4)}"
    ),
    "korean_phrase": lambda chance: f"{chance.choice(['봄밤', '첫눈'])} {digits(chance, 4)}",
    "email": email,
    "email_spelled": lambda chance: f"{chance.choice(WORDS)}{digits(chance, 2)} 골뱅이 네이버 닷컴",
    "passport": lambda chance: f"M{digits(chance, 8)}",
    "passport_new": lambda chance: (
        f"M{digits(chance, 3)}{chance.choice('ABCDEF')}{digits(chance, 4)}"
    ),
    "license": lambda chance: (
        f"{chance.randint(11, 28)}-{digits(chance, 2)}-{digits(chance, 6)}-{digits(chance, 2)}"
    ),
    "handle": lambda chance: f"{chance.choice(WORDS)}_{digits(chance, 2)}",
    "discord": lambda chance: f"{chance.choice(WORDS)}#{digits(chance, 4)}",
}
