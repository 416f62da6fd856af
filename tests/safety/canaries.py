"""Canary secrets: one of each kind for each place, so that a leak names where it came from."""

import random
import re

from tests.safety.redaction_values import draw

# A sentence that tells a secret of each kind that redaction knows.
SENTENCES = {
    "openai": "내 키 {} 이거야",
    "github": "깃헙 토큰은 {}인데",
    "jwt": "토큰 {} 보내",
    "pem": "서버 키\n{}\n끝",
    "rrn": "주민번호 {}이에요",
    "mobile": "내 번호 {}이야",
    "card": "카드번호 {}로 결제해",
    "account": "신한은행 {}으로 보내줘",
    "special_password": "비번은 {}야",
    "email": "메일은 {}로 보내줘",
    "passport": "여권번호 {}인데",
    "license": "운전면허 {}이야",
    "handle": "인스타 아이디 {}야",
}


class Canaries:
    """Plants secrets, remembers them, and finds them again."""

    def __init__(self) -> None:
        self._planted: dict[str, tuple[str, str]] = {}

    def tell(self, place: str) -> list[str]:
        """A sentence a kind, each with a secret that no other place holds."""
        chance = random.Random(f"canaries of {place}")
        sentences = []
        for kind, sentence in SENTENCES.items():
            secret = draw(kind, chance)
            self._planted[secret] = (place, kind)
            sentences.append(sentence.format(secret))
        return sentences

    def __len__(self) -> int:
        return len(self._planted)

    def found_in(self, where: str, text: str) -> list[str]:
        """Every canary that stands in `text`, also without its separators."""
        plain = re.sub(r"[\s\-.]", "", text)
        return [
            f"{kind} of {place} in {where}"
            for secret, (place, kind) in self._planted.items()
            if secret in text or re.sub(r"[\s\-.]", "", secret) in plain
        ]
