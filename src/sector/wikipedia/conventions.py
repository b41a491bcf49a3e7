"""What editors of each Wikipedia agreed on: redirects, disambiguations, stubs, and the sections behind an article.

English conventions hold everywhere beside those of the wiki's own language.
"""

from __future__ import annotations

import re
from functools import cache

_CLOSING = {
    "en": "see also|references|external links|further reading|notes|notes and references|footnotes|bibliography|sources"
    "|citations|works cited|literature|external link|links|reference|references and notes|notes and citations|see"
    "|further information|related articles|related topics|related pages|source|web links|general references"
    "|external references|endnotes|cited sources|explanatory notes|references and external links"
    "|external links and references|references and further reading|gallery|image gallery|picture gallery",
    "de": "siehe auch|einzelnachweise|weblinks|literatur|quellen|fußnoten|anmerkungen|belege|nachweise|weblink"
    "|literatur und quellen|quellen und literatur|anmerkungen und einzelnachweise|literatur und weblinks"
    "|einzelnachweise und anmerkungen|externe links|quellenangaben|quellennachweise|referenzen|galerie|bildergalerie"
    "|weiterführende literatur|weiterführende informationen|quellen und weblinks|fußnoten und einzelnachweise",
    "fr": "voir aussi|notes et références|références|liens externes|bibliographie|notes|articles connexes|annexes"
    "|lien externe|sources|liens internes|galerie|source",
    "es": "véase también|referencias|enlaces externos|bibliografía|notas|notas y referencias|fuentes|galería"
    "|enlace externo",
    "it": "voci correlate|note|collegamenti esterni|bibliografia|altri progetti|fonti|galleria d'immagini",
    "pt": "ver também|referências|ligações externas|bibliografia|notas|notas e referências|fontes|galeria|veja também",
    "nl": "zie ook|referenties|externe links|externe link|literatuur|bronnen|noten|bronnen, noten en/of referenties"
    "|bron|voetnoten|galerij|externe verwijzingen",
    "pl": "zobacz też|przypisy|linki zewnętrzne|bibliografia|uwagi|galeria",
    "sv": "se även|referenser|externa länkar|källor|litteratur|noter|fotnoter|bildgalleri",
    "da": "se også|referencer|eksterne henvisninger|kilder|litteratur|noter|fodnoter",
    "no": "se også|referanser|eksterne lenker|kilder|litteratur|noter|fotnoter",
    "fi": "katso myös|lähteet|aiheesta muualla|viitteet|kirjallisuutta",
    "cs": "související články|reference|externí odkazy|literatura|poznámky|odkazy|galerie",
    "hu": "lásd még|jegyzetek|források|további információk|irodalom|külső hivatkozások|kapcsolódó szócikkek",
    "ro": "vezi și|note|referințe|legături externe|bibliografie|galerie",
    "tr": "ayrıca bakınız|kaynakça|dış bağlantılar|notlar|kaynaklar",
    "ru": "см. также|примечания|ссылки|литература|источники|галерея|комментарии",
    "uk": "див. також|примітки|посилання|література|джерела|галерея",
    "ja": "関連項目|脚注|外部リンク|参考文献|出典|注釈",
    "zh": "參見|参见|參考文獻|参考文献|外部連結|外部链接|參考資料|参考资料|註釋|注释|相關條目|延伸閱讀",
    "ar": "انظر أيضا|مراجع|المراجع|وصلات خارجية|روابط خارجية|مصادر|هوامش",
    "ko": "같이 보기|각주|외부 링크|참고 문헌",
}
_REDIRECT = re.compile(
    r"\s*#\s*(?:redirect|weiterleitung|redirection|redirección|redirecionamento|rinvia|doorverwijzing|patrz|przekieruj"
    r"|tam|omdirigering|omstilling|viderestilling|ohjaus|uudelleenohjaus|přesměruj|átirányítás|redirecteaza|yönlendirme"
    r"|yönlendi̇rme|перенаправление|перенапр|перенаправлення|転送|重定向|تحويل|넘겨주기)\s*:?\s*\[\[",
    re.IGNORECASE,
)
_DISAMBIGUATION = re.compile(
    r"(?:\w+[ -]?)?disambig(?:uation)?(?:[ -](?!needed|link|inline).*|cleanup)?"
    r"|(?:hn|geo|[a-z]+[ -])?dab|(?:hn|geo|tla|school|hospital|road|mathematical|number)dis|[2345]l[ac](?:dab)?|tla"
    r"|begriffsklärung(?: .*)?|homonymie|paronymie|desambiguación|desambiguação|desambig"
    r"|disambigua|dp|doorverwijspagina|ujednoznacznienie|förgrening|grensida|flertydig|pekerside|täsmennyssivu"
    r"|rozcestník|egyért|dezambiguizare|anlam ayrımı|неоднозначность|disambigs|багатозначність|aimai|曖昧さ回避|消歧義"
    r"|消歧义|توضيح|동음이의",
    re.IGNORECASE,
)
_DISAMBIGUATED = re.compile(
    r"\((?:disambiguation|begriffsklärung|homonymie|desambiguación|desambiguação|disambigua|doorverwijspagina"
    r"|ujednoznacznienie|olika betydelser|значения)\)$",
    re.IGNORECASE,
)
_STUB = re.compile(
    r"(?!sect)(?:.+[ -])?stub|ébauche(?: .*)?|esbozo(?: .*)?|esboço(?:[- ].*)?|beginnetje.*|.*[- ]stubb|zalążek.*"
    r"|tynkä.*|pahýl|csonk.*|ciot.*|taslak|.+-taslak|.*незавершённая статья.*",
    re.IGNORECASE,
)


@cache
def closing_headings(language: str) -> frozenset[str]:
    """Return the headings, in lower case, of sections that are not part of an article's text."""
    own = _CLOSING.get(language.partition("-")[0].lower(), "")
    return frozenset(f"{_CLOSING['en']}|{own}".split("|")) - {""}


def is_redirect(source: str) -> bool:
    """Whether wikitext begins by sending the reader elsewhere."""
    return _REDIRECT.match(source) is not None


def is_disambiguation(title: str, templates: tuple[str, ...]) -> bool:
    """Whether an article only lists what a word may mean."""
    if _DISAMBIGUATED.search(title):
        return True
    return any(_DISAMBIGUATION.fullmatch(name) for name in templates)


def is_stub(templates: tuple[str, ...]) -> bool:
    """Whether editors marked an article as unfinished."""
    return any(_STUB.fullmatch(name) for name in templates)
