"""Stop words: function words, which say nothing about the topic of a heading like "Signs and symptoms"."""

from __future__ import annotations

from sector.text.abbreviations import words

STOP_WORDS = {
    "en": words(
        "a about above across after again against all almost along already also although "
        "always am among an and another any are as at be because been before being below "
        "between both but by can cannot could did do does doing done down during each either "
        "else ever every few for from further had has have having he her here hers herself him "
        "himself his how however i if in into is it its itself just least less many may me "
        "might more most much must my myself neither never no nor not of off often on once one "
        "only onto or other others our ours out over own per rather s same shall she should "
        "since so some such t than that the their theirs them themselves then there therefore "
        "these they this those though through thus to too toward towards under until up upon "
        "us very via was we were what when where whether which while who whom whose why will "
        "with within without would yet you your yours"
    ),
    "de": words(
        "ab aber alle allem allen aller alles als also am an andere anderen anderer anderes "
        "auch auf aus bei beim bereits bis bzw da dabei dadurch dafür daher damit danach dann "
        "daran darauf daraus darin darüber das dass davon dazu dem den denen denn der deren "
        "des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine "
        "einem einen einer eines einige er es etwa etwas euch euer für gegen hat hatte hatten "
        "hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede "
        "jedem jeden jeder jedes jedoch jene kann kein keine können könnte man mehr mein meine "
        "mich mir mit nach neben nicht noch nun nur ob oder ohne schon sehr sein seine seinem "
        "seinen seiner seit sich sie sind so sogar solche soll sollte sowie sowohl über um und "
        "uns unser unter vom von vor war waren wäre was weil weiter welche wenn wer werden wie "
        "wieder wir wird wo wurde wurden während zu zum zur zwar zwischen"
    ),
    "pt": words(
        "a à ao aos aquela aquelas aquele aqueles aquilo as às até através cada com como "
        "contra da das de dela delas dele deles depois desde dessa desse desta deste do dos "
        "durante e é ela elas ele eles em embora enquanto entre era eram essa essas esse esses "
        "esta está estão estar estas estava este estes eu foi foram for fosse há haver isso "
        "isto já lhe lhes mais mas me mesma mesmo meu meus minha minhas muita muitas muito "
        "muitos na não nas nem nessa nesse nesta neste no nos nós nossa nosso num numa o onde "
        "os ou outra outras outro outros para pela pelas pelo pelos per perante pode podem "
        "pois por porém porque qual quais quando quanto que quem se sem sendo ser será seu "
        "seus sob sobre sua suas são também tanto te tem têm ter teu tinha toda todas todo "
        "todos tu tua um uma umas uns você vocês"
    ),
}
"""Lower-case function words by language, as ``tokenize`` gives them."""
EVERY = frozenset[str]().union(*STOP_WORDS.values())


def stop_words(language: str = "") -> frozenset[str]:
    """Return the stop words of a language; of all languages for "", and none for one that is not known."""
    return EVERY if language == "" else STOP_WORDS.get(language, frozenset())
