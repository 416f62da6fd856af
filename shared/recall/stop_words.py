"""Words that say nothing of what a text is about."""

_ENGLISH = """
a an the and or but if so of at by for with about to from in on up down out over under again
is are was were be been am do does did doing have has had having will just can would could should
i you he she it we they me him her us them my your his its our their this that these those
what which who whom when where why how not no than too very s t as there here then all any both
each more most some such only own same
"""
_KOREAN = """
하하 호호 헤헤 히히 흐흐
내일 어제 해 봐 자 줘 가 와 할 할까 하자 됐어 어떡해 미안 고마워
나 너 내 네 난 넌 나는 너는 내가 네가 나도 너도 우리 저 제 제가 저는 그 이 저기 그거 이거 그게
이게 그건 이건 응 어 아 음 네 예 아니 그래 그럼 근데 그런데 그리고 그래서 하지만 진짜 정말 너무 좀
막 또 더 다 잘 안 못 왜 뭐 뭐야 뭐가 뭘 언제 어디 어디서 어떻게 누가 누구 무슨 어떤 그때 이때 지금
오늘 있어 있었어 없어 했어 했지 했는데 거야 건데 것 거 때 수 줄 중 등 적 있잖아 알아 몰라 맞아
기억나 기억해 그랬어 그랬지 뭐해 뭐해요 뭐하 뭐하고 뭐하세요
뭐했어 뭐했어요 요즘 이제 방금 아까 잠깐 그냥 혹시
"""
# What verbs and copulas end in: half of all Korean sentences share them.
_ENDINGS = """
었어 았어 했어 였어 갔어 왔어 됐어 있어 없어 이야 이다 니다 습니 입니 합니
됩니 어요 아요 해요 네요 세요 에요 예요 이에 거예 거야 거든 거죠 건데 는데
은데 인데 했는 었는 았는 지만 면서 려고 하고 하는 하면 해서 어서 아서 라고
다고 냐고 자고 겠어 겠다 겠네 을까 할까 일까 잖아 구나 군요 셨어 었다 았다
했다 한다 는다 었지 았지 했지 었던 았던 했던 드려 드릴 주세 어디 나요 가요
까요 죠 지요 던데 던가 는지 은지 을게 할게 을래 할래 었을 았을 했을 어도
아도 해도 으면 았으 었으 했으 달라 빼달
"""

STOP_WORDS = frozenset((_ENGLISH + _KOREAN).split())
STOP_BIGRAMS = frozenset(_ENDINGS.split())
# Particles of one syllable: they end half of all Korean words.
STOP_SYLLABLES = frozenset("은는이가을를에의도로와과야아랑서만지네요고")
