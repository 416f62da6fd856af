"""Machine secrets: private keys, JWTs, and the API keys and tokens of the usual makers."""

from collections.abc import Iterator

from shared.safety.redaction_spans import Span, any_case, around, pattern

_PEM_BEGIN = r"-{2,5}[ ]?BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?[ ]?-{2,5}|PuTTY-User-Key-File-"
_PEM_END = r"-{2,5}[ ]?END[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?[ ]?-{2,5}|Private-MAC: ?[0-9a-f]*"
_PEM_BODY = r"[A-Za-z0-9+/=\s:,\-\\]*"

_TOKEN = r"[A-Za-z0-9_\-]"
# A wrapped token goes on where the next line is one long unbroken piece.
_JWT_PART = rf"(?:{_TOKEN}|\r?\n(?={_TOKEN}{{16}}))+"
_JWT = (
    rf"(?<![A-Za-z0-9_\-\ue000])eyJ(?=[A-Za-z0-9_\-]{{8}}){_JWT_PART}(?:\s?\.\s?{_JWT_PART}){{1,4}}"
)


def _key(prefix: str, body: str, length: int, *, open_ended: bool = True) -> str:
    """`prefix` and at least `length` characters of `body`, a line break allowed among them."""
    rest = f"(?:{body}|\\n(?={body}{{12}}))*" if open_ended else ""
    return f"{prefix}(?:{body}\\n?){{{length - 1}}}{body}{rest}"


_WORD = "[A-Za-z0-9]"
_LOWER_HEX = "[a-f0-9]"
_MAKERS = (
    # Google: API keys, the newer bound keys, OAuth.
    _key("AIza", _TOKEN, 33),
    _key(r"AQ\.", r"[A-Za-z0-9_\-]", 30),
    _key(r"ya29\.", r"[A-Za-z0-9_\-.]", 20),
    _key("GOCSPX-", _TOKEN, 20),
    _key("1//0", _TOKEN, 30),
    # Models: OpenAI, Anthropic, OpenRouter, DeepSeek share sk-.
    _key("sk-(?:proj-|ant-|or-|svcacct-|admin-|None-)?", _TOKEN, 20),
    _key("hf_", _WORD, 24),
    _key("gsk_", _WORD, 30),
    _key("xai-", _WORD, 30),
    _key("pplx-", _WORD, 30),
    _key("r8_", _WORD, 30),
    _key("nvapi-", _TOKEN, 30),
    _key("tvly-", _TOKEN, 20),
    # Code and packages.
    _key("gh[pousr]_", _WORD, 30),
    _key("github_pat_", r"\w", 30),
    _key("glpat-", _TOKEN, 20),
    _key("npm_", _WORD, 30),
    _key("pypi-", _TOKEN, 40),
    _key("dckr_pat_", _TOKEN, 20),
    # Clouds and hosting.
    _key("(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)", "[A-Z0-9]", 16, open_ended=False),
    _key("LTAI", _WORD, 16),
    _key("do[opr]_v1_", _LOWER_HEX, 40),
    _key("dapi", _LOWER_HEX, 32),
    _key("sbp_", _LOWER_HEX, 30),
    _key("(?:sb_secret|vercel|vck|vcp)_", _TOKEN, 20),
    # Chat and mail.
    _key("xox[a-z]-", r"[A-Za-z0-9\-]", 12),
    _key(r"xapp-\d-", r"[A-Za-z0-9\-]", 12),
    r"hooks\.slack\.com/services/[A-Za-z0-9/]{20,}",
    r"discord(?:app)?\.com/api/webhooks/[0-9]{10,}/[A-Za-z0-9_\-]{20,}",
    r"[MNO][A-Za-z0-9_\-]{22,27}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,}",
    _key(r"(?:bot)?[0-9]{8,10}:", _TOKEN, 30),
    _key(r"SG\.", r"[A-Za-z0-9_\-.]", 40),
    _key("(?:AC|SK)", _LOWER_HEX, 32, open_ended=False),
    _key("key-", _LOWER_HEX, 32),
    # Payment and shops.
    _key("(?:sk|pk|rk)_(?:live|test)_", _WORD, 10),
    _key("whsec_", r"[A-Za-z0-9+/=]", 20),
    _key("(?:live|test)_(?:g?sk|g?ck)_", _WORD, 16),
    _key("sq0[a-z]{3}-", _TOKEN, 20),
    _key("shp(?:at|ss|ca|pa)_", "[A-Fa-f0-9]", 32),
    # Tools.
    _key("(?:ntn|secret)_", _WORD, 40),
    _key("lin_api_", _WORD, 30),
    _key("figd_", _TOKEN, 30),
    _key("PMAK-", r"[A-Za-z0-9\-]", 30),
    _key("ATATT3", r"[A-Za-z0-9_\-=]", 40),
    _key("NRAK-", "[A-Z0-9]", 20),
    _key("EAA", _WORD, 60),
    _key("[ps]k\\.eyJ", r"[A-Za-z0-9_\-.]", 30),
)
_API_KEY = rf"(?:{'|'.join(_MAKERS)})[A-Za-z0-9_\-]*"
# The shortest key is longer than this; most words are not.
_LONG_WORD = (
    r"[A-Za-z](?<![A-Za-z0-9\ue000].)(?=[A-Za-z0-9_\-.:/\n]{15})"
    r"|[0-9](?<![A-Za-z0-9\ue000].)(?=//0|[0-9]{7,9}:)"
)

# Any long random string that the words call a key or a token.
_CALLED_KEY = (
    r"(?:api[ _\-]?(?:key|키)|access[ _\-]?(?:key|token)|secret(?:[ _\-]?(?:access[ _\-]?)?key)?"
    r"|client[ _\-]?secret|auth[ _\-]?token|refresh[ _\-]?token|token|bearer|private[ _\-]?key|key"
    r"|토큰|시크릿(?:[ ]?키)?|(?:인증|비밀|접근|액세스|보안)[ ]?키|키)"
    r"(?:[ ]?(?:값|은|는|이|가|is))?[\"']?\s{0,2}[:=]{0,2}\s{0,2}[\"'`(\[]?$"
)
_RANDOM = r"[A-Za-z0-9_\-.+/]{16,512}={0,2}"
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_RANDOM_PIECE = r"(?=[0-9+/=]{0,40}[A-Za-z])(?=[A-Za-z+/=]{0,40}[0-9])[A-Za-z0-9+/=]{16}"


def find_private_keys(text: str) -> Iterator[Span]:
    """PEM, OpenSSH, PGP and PuTTY private keys, to their end line or as far as a body goes."""
    position, closed = 0, True
    while begin := any_case(_PEM_BEGIN).search(text, position):
        # Once no end line is ahead there never is one: looking again would cost the rest anew.
        end = any_case(_PEM_END).search(text, begin.end()) if closed else None
        closed = end is not None
        body = end or pattern(_PEM_BODY).match(text, begin.end())
        position = body.end() if body else begin.end()
        yield Span("private_key", begin.start(), position)


def find_jwts(text: str) -> Iterator[Span]:
    """JSON Web Tokens: base64url of `{"`, in two to five parts."""
    for match in pattern(_JWT).finditer(text):
        yield Span("jwt", *match.span())


def find_api_keys(text: str) -> Iterator[Span]:
    """Keys by their maker's prefix; random strings by the word key or token before them."""
    done = 0
    for word in pattern(_LONG_WORD).finditer(text):
        key = pattern(_API_KEY).match(text, word.start()) if word.start() >= done else None
        if key:
            done = key.end()
            yield Span("api_key", *key.span())
    for match in pattern(_RANDOM).finditer(text):
        random = pattern(_UUID).match(match[0]) or pattern(_RANDOM_PIECE).search(match[0])
        if random and around(text, *match.span()).has(_CALLED_KEY, before=32):
            yield Span("api_key", *match.span())
