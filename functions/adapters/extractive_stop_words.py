"""Words too common to bring anything up again."""

_KOREAN = """
그리고 그런데 그래서 그래도 그러면 그럼 그러니까 그니까 근데 하지만 그냥 진짜 정말 너무 많이
조금 아주 되게 완전 약간 제일 가장 다시 아직 이미 이제 지금 방금 오늘 내일 어제 모레 아까
나중 항상 매일 자주 가끔 요즘 언제 어디 누구 무엇 뭐가 뭔가 어떻게 어떤 무슨 얼마나 여기
거기 저기 이거 그거 저거 이것 그것 저것 이런 그런 저런 이렇게 그렇게 저렇게 우리 저희 너희
나는 나도 내가 너는 너도 네가 니가 제가 저는 저도 자기 당신 사람 생각 때문 정도 이번 다음
저번 지난번 처음 마지막 하나 둘이 같이 함께 혼자 모두 전부 서로 바로 계속 먼저 일단 역시
혹시 아마 물론 사실 만약 대신 동안 이후 이전 사이 얘기 이야기 말씀 무조건 응응 아니 아니야
맞아 그래 그러게 안녕 고마워 미안 미안해 괜찮아 좋아 싫어 오랜만 감사 가지 조금만 시간 하루
기분 마음 느낌 문제 경우 순간 그때 이때 요새 아무 아무것 아무도 전혀 별로 거의 잠깐 빨리
천천히 열심히 덕분 걱정 당연 필요 가능 시작 진짜로 솔직히 엄청 훨씬 그만 여러 모든 다른 새로
저녁 아침 점심 밤에 남자 여자
"""

_ENGLISH = """
a about above after again against ago all almost already also always am amazing an and
another any anyone anything are around as ask asked at away awesome back bad be because been
before being best better between big bit both but by bye came can cannot come coming
congrats cool could couple day days did didn different do does doesn doing don done down
each else enough even ever every everyone everything excited feel feeling feels felt few
find first for found from fun gave get gets getting give glad go goes going gonna good got
great guess had happen happened happy hard has hasn have haven having he hear heard hello
help helped her here hers hey hi him his hope how however i if im in into is isn it its
itself just keep kind knew know known last later least let life like liked little ll long
look looking looks lot lots love loved made make makes making many may maybe me mean means
might mine more most much must my myself need needs never new next nice no not nothing now
of off oh ok okay old on once one only or other others our ours out over own past people
perhaps place plan please pretty put quite re read ready real really right said same saw say
saying see seem seems seen she should show since so some someone something sometimes soon
sorry sound sounds start started still stuff such super sure take taken taking talk talked
tell than thank thanks that the their them then there these they thing things think thinking
this those though thought through time times to today together told tomorrow tonight too
took totally tried true try trying two under until up us use used user ve very wait wanna
want wanted was wasn watch way we week weeks well went were what whatever when where which
while who whole why will wish with without won wonderful work would wow yeah year years yep
yes yesterday yet you your yours yourself
"""

KOREAN = frozenset(_KOREAN.split())
ENGLISH = frozenset(_ENGLISH.split())
