"""Words of English and German that a full stop does not end, and words that tell where a sentence does end.

The lists hold lower-case tokens without their last full stop; ``sector.text.repairs`` says how they are used.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


def words(text: str) -> frozenset[str]:
    """Return the words of a list that is written as one string."""
    return frozenset(text.split())


NEVER_END = {
    "": words("dr prof mr mrs ms hon rev vs cf e.g i.e"),
    "en": words(
        "dr drs prof mr mrs ms mx messrs mme mlle hon rev fr gen col maj capt cpt lt sgt cpl cmdr "
        "adm gov sen rep pres supt det insp amb asst assoc dept univ e.g i.e eg ie viz vs cf "
        "approx appr aka a.k.a incl esp specif resp née pron lit orig trans ed eds ca circa mt mts "
        "ste ven bro cit ibid ph"
    ),
    "de": words(
        "dr prof dipl ing hr hrn fr frl z.b d.h i.d.r i.d u.u v.a o.ä o.g s.o s.u m.e a.a a.d "
        "a.d.ö bzw ca etwa evtl ggf ggfs vgl vergl inkl einschl exkl zzgl abzgl bspw beispielsw "
        "insb insbes sog sogen gen geb gest verst verh gegr urspr eigtl allg ausschl st skt hl sel "
        "kgl königl ehem ev evang kath röm griech lat dt engl frz franz ital span russ poln türk "
        "arab hebr österr schweiz zit übers hrsg hg bearb mind max min durchschn ungef ges gem lt "
        "bez betr zw zwi ggü östl westl nördl südl nordöstl nordwestl südöstl südwestl staatl "
        "städt wiss techn wirtsch jun sen priv fa cie k.u.k mhd ahd altgerm germ par val niederl "
        "nl norw ungar mill reg resp eur lib schwed dän port slaw rer nat phil med jur theol habil "
        "h.c dr.h.c"
    ),
}
"""Titles and connectives: whatever follows on the line, the sentence goes on."""

MAY_END = {
    "": words("etc u.s u.k inc ltd co corp st jr sr"),
    "en": words(
        "etc inc ltd co corp bros st al jr sr esq u.s u.k u.n u.s.a u.s.s.r e.u d.c l.a n.y a.m "
        "p.m am pm b.c a.d c.e b.c.e ph.d m.d b.a m.a m.sc b.sc d.phil ll.b ave blvd rd str ln sq "
        "hwy ext mass conn calif fla ill mich minn penn tenn wash ariz colo dist gov.t natl intl "
        "mfg sp spp subsp var"
    ),
    "de": words(
        "usw etc u.a u.ä u.v.m u.a.m uvm usf ff f o.j o.o e.v e.k co inc ltd st u.s jh jhs jhd "
        "jhdt jt mio mrd tsd std sek str pl bhf hbf chr n.chr v.chr n.b s.a m.w i.v a.m p.m jr sr "
        "einw ew sp spp subsp var ü.nn ü.m ü.d.m abt abschn anm"
    ),
}
"""Abbreviations that can be a sentence's last word: they end it where a typical first word follows."""

BEFORE_NUMBER = {
    "": words("no nr p pp vol fig"),
    "en": words(
        "no nos nr p pp vol vols fig figs tab eq eqs sec sect ch chap art par para pt ver v r n "
        "line ll ref refs ex op app jan feb apr jun jul aug sep sept oct nov dec"
    ),
    "de": words(
        "nr nrn no s bd bde abb tab kap abs art ziff anl aufl ausg jg heft fig gl lfd pos rn rz bl "
        "zl sp vers tel op jan jän febr feb apr jun jul aug sep sept okt nov dez"
    ),
}
"""Abbreviations only where a number follows, or a date's number stands before: "no." is a word as well."""

STARTERS = {
    "en": words(
        "The A An He She It They We You I This That These Those There Here His Her Its Their Our "
        "My In On At By For From After Before During While When Where As Since Although Though "
        "However But And If Because Also Both Some Many Most Other Another Such Each All One Two "
        "Three With Without Under Over Among Between According Despite Due Today Later Then Thus "
        "Therefore Moreover Furthermore Instead Nevertheless Until Once Of To"
    ),
    "de": words(
        "Der Die Das Dem Den Des Ein Eine Einer Eines Einem Einen Er Sie Es Ihr Ihre Ihren Sein "
        "Seine Seinen Wir Ich Man Dies Diese Dieser Dieses Diesem Jene Jener In Im An Am Auf Aus "
        "Bei Beim Bis Durch Für Gegen Hinter Mit Nach Neben Ohne Seit Über Um Unter Vom Von Vor "
        "Während Wegen Zu Zum Zur Zwischen Als Wenn Wie Wo Weil Da Dort Hier Heute Damit Dabei "
        "Dazu Daher Danach Dann Doch Aber Auch Und Oder Nur Noch Nun So Sowohl Somit Trotz Viele "
        "Einige Alle Beide Jedoch Außerdem Später Erst Zudem Zunächst Insgesamt Laut Ob Obwohl "
        "Dass"
    ),
    "pt": words(
        "O A Os As Um Uma Ele Ela Eles Elas Este Esta Esse Essa Isso Isto No Na Nos Nas Em De Do "
        "Da Por Para Com Sem Após Antes Durante Quando Se Segundo Seu Sua Entre Mas E Foi Também "
        "Porém Muitos Outros Há"
    ),
}
"""Capitalised words that often begin a sentence and seldom follow an abbreviation within one."""

ORDINAL_NOUNS = words(
    "Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember Jan "
    "Jän Feb Febr Apr Jun Jul Aug Sep Sept Okt Nov Dez Jh Jhd Jhdt Jahrhundert Jahrhunderts "
    "Jahrhunderte Jahrhunderten Jahrtausend Jahrtausends Jahrestag Weltkrieg Weltkriegs "
    "Weltkrieges Lebensjahr Lebensjahres Geburtstag Todestag Bundesliga Liga Platz Rang Auflage "
    "Kapitel Etage Stock Klasse Schuljahr Semester Bezirk Arrondissement Wahlperiode "
    "Legislaturperiode Tag Woche Monat Jahr Mal Runde Spieltag Minute Staffel Folge Armee Division "
    "Infanterie-Division Panzerdivision Infanteriedivision Regiment Bataillon Kompanie Korps "
    "Armeekorps Grad Ordnung Generation Breitengrad Längengrad Dynastie Wiener"
)
"""German nouns that an ordinal number stands before, as in "19. Jahrhundert"."""


_OTHER = "und"
"""The code of languages that have no list here (ISO 639: undetermined)."""


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """What the repairs know of one language, or of several."""

    never_end: frozenset[str]
    may_end: frozenset[str]
    before_number: frozenset[str]
    starters: frozenset[str]
    suspects: frozenset[str]
    """All abbreviations, and the last parts of those with several."""
    ordinals: bool
    """Whether a small number with a full stop is an ordinal before any capitalised word, as in German."""


def vocabulary(language: str) -> Vocabulary:
    """Return the words of a language: "" means that it is unknown and takes them all.

    Languages without words of their own share one vocabulary, so that there are no more than lists.
    """
    return _vocabulary(language if language in NEVER_END or language in STARTERS else _OTHER)


@cache
def _vocabulary(language: str) -> Vocabulary:
    known = ("en", "de") if language == "" else (language if language in NEVER_END else "",)

    def union(lists: dict[str, frozenset[str]]) -> frozenset[str]:
        return frozenset().union(*(lists[code] for code in known))

    never_end, may_end, before_number = union(NEVER_END), union(MAY_END), union(BEFORE_NUMBER)
    names = never_end | may_end | before_number
    return Vocabulary(
        never_end=never_end - may_end,
        may_end=may_end,
        before_number=before_number,
        starters=STARTERS.get(language, frozenset().union(*STARTERS.values())),
        suspects=names | {name.rpartition(".")[2] for name in names},
        ordinals=language == "de",
    )
