"""How people answer in a chat, as data: yes, no, `me too`, and what takes it back. Korean first."""

import re

# A bubble that begins so agrees, unless it asks.
YES = re.compile(
    r"[\s.…~!,ㅋㅎㅠㅜ]*(?:"
    r"(?:응+|웅|엉|어+|네+|넵|넹|예|콜|ㅇㅇ|ㅇㅋ|오케이?|오키|ㄱㄱ|고고|그래요?|그럼요?|맞[아지네어]요?|인정|당근|알지)(?![가-힣])"
    r"|좋아(?![하했한할])|좋지|좋다|좋아요|그러자|당연|물론|(?:나[도듀두]|저[도두])요?(?!\s?모르)"
    r"|알겠|알았|그럴게|할게|기꺼이|받아들|받아\s?줄"
    r"|(?:ok|okay|yes|yeah|yep|sure|of course|gladly|i will|i'd love)\b"
    r")[^?？\n]*$",
    re.IGNORECASE,
)
# Where the next part of a bubble begins: 그걸 이제 물어보냐ㅠㅠ 당연하지
PARTS = re.compile(r"(?<=[.!~…ㅠㅜㅋㅎ])\s+")
BUT = re.compile(
    r"근데|그런데|하지만|잠깐|잠시|아직|생각해\s?볼|생각\s?좀|모르겠|없던\s?일로|취소|안\s?되겠|안\s?돼|안\s?될|싫"
    r"|마음\s?없|못\s?(?:하|해|받)|나중에|무슨|농담|장난|\b(?:but|not|later|can't|don't|maybe)\b",
    re.IGNORECASE,
)
NO = re.compile(
    r"\s*(?:아니(?!면|\s?(?:야?\s?)?(?:사랑|좋아))|아냐|싫|안\s?돼|안\s?되|무슨\s?(?:소리|말)|뭔\s?소리|웃기"
    r"|(?:우리|내|제)가\s?(?:왜|언제|무슨)|그런\s?(?:사이|거|적)|엥|잉\?|뭐가|뭐\?"
    r"|[^\n]{0,12}동의한\s?적\s?없|미안|죄송|거절|못\s?(?:받|하)"
    r"|(?!나|저)\S{1,6}한테\s\S{1,6}\s거(?:야|예요)[?？]"
    r"|no\b|nope|sorry|we're not|we are not)",
    re.IGNORECASE,
)
ME_TOO = re.compile(
    r"(?:^|\n)\s*(?:응+|어+|그래)?[\s,.~]*"
    r"(?:(?:나[도듀두]|저[도두])요?|미투|ㄴㄷ|me too|i love you too|same here)"
    r"(?=[\s.…!~,♡♥❤ㅎㅋㅠ]*(?:$|\n|저|나|잘|사랑|좋아|그래|너|네|많이|정말))",
    re.IGNORECASE,
)
# Said soon after, by either: it was a joke, or is no longer so.
TAKEN_BACK = re.compile(
    r"(?:농담|장난)(?!\s?아니)|뻥이|구라|만우절|\b(?:kidding|joking|joke)\b"
    r"|방금\s?\S{0,3}\s?(?:취소|없던)|없던\s?(?:일|걸)로|잘못\s?(?:보냈|보낸|눌렀)|(?:뺏어서|대신)\s?보낸"
    r"|말\s?(?:시키|걸)지\s?마|비꼬|다시\s?생각해\s?보니|안\s?되겠(?:어|다)|휩쓸[려렸]|그냥\s?친구로\s?(?:지내|남)",
    re.IGNORECASE,
)
# What something settled was about, where that stands right before it: 이사 문제는 다 | 해결됐어
TOPIC = re.compile(
    r"(?<![가-힣A-Za-z])([가-힣A-Za-z]{2,})\s?(?:문제|일|건|사건|얘기|이야기|고장)"
    r"(?:이|가|은|는|도|를|을)?\s?(?:다|이제|드디어|잘|겨우)?\s?$"
)
