"""The words of the report: French first, then English."""

import re

FRENCH = {
    # sections
    "Raw bits": "Bits bruts",
    "Die, 6 faces": "Dé à 6 faces",
    "Die, 20 faces": "Dé à 20 faces",
    "Wheel, 52 segments": "Roue à 52 secteurs",
    "Inner wheel, 6 segments": "Roue intérieure à 6 secteurs",
    "54 cards, without replacement": "54 cartes, sans remise",
    "54 cards, without replacement, top card": "54 cartes, sans remise, première carte",
    # tests of shapes
    "chi-square": "khi-deux",
    "extreme": "nombre le plus écarté",
    "pairs": "paires successives",
    "runs": "séries",
    "serial correlation": "corrélation sérielle",
    "coupon collector": "collection complète",
    "duplicates": "répétitions",
    "tilt": "inclinaison",
    "no card twice": "aucune carte en double",
    "places": "place de chaque carte",
    "successors": "cartes qui se suivent",
    "rises": "montées",
    # tests of the battery
    "frequency": "fréquence",
    "frequency within a block": "fréquence par bloc",
    "cumulative sums, forward": "sommes cumulées, à l’endroit",
    "cumulative sums, reverse": "sommes cumulées, à l’envers",
    "longest run of ones": "plus longue série de uns",
    "binary matrix rank": "rang de matrices binaires",
    "discrete Fourier transform": "transformée de Fourier discrète",
    "overlapping templates": "motifs avec recouvrement",
    "Maurer's universal": "test universel de Maurer",
    "linear complexity": "complexité linéaire",
    "approximate entropy": "entropie approchée",
    "serial, 1st": "motifs en série, 1er",
    "serial, 2nd": "motifs en série, 2e",
}

_PREFIXES = {
    "template ": "motif ",
    "random excursions variant, ": "excursions aléatoires, variante, ",
    "random excursions, ": "excursions aléatoires, ",
}

VERDICTS = {
    "passed": ("✓", "aucun écart", "passed"),
    "passed_again": ("✓✓", "aucun écart au second examen", "passed the second look"),
    "failed": ("✗", "écart constaté", "failed"),
}

RULE_FR = (
    "Chaque question donne une valeur p, uniforme entre 0 et 1 (ou plus grande) si la source est équitable.",
    "Toutes les valeurs p d’un examen sont jugées ensemble par la méthode de Holm, au niveau de 1 %.",
    "Une source équitable n’est donc soupçonnée que dans un rapport sur cent, quel que soit le nombre de questions.",
    "Chaque soupçon entraîne un seul second examen, sur autant d’échantillons nouveaux, jugé de la même façon.",
    "Ce qui est rejeté deux fois est un écart constaté ; les deux valeurs p restent au rapport.",
    "Des relevés d’appareils ne peuvent être tirés à nouveau : un rejet y est définitif.",
    "La règle était écrite avant le premier rapport. Les repères du NIST sont à titre indicatif.",
)
RULE_EN = (
    "Each question gives a p-value, uniform in 0 to 1 (or larger) if the source is fair.",
    "All p-values of one look are judged together by Holm’s method at the 1 % level.",
    "So a fair source is suspected in one report of a hundred only, however many questions there are.",
    "Each suspicion leads to one second look, at as many fresh samples, judged in the same way.",
    "What is rejected twice fails; both p-values stay in the report, and there is no third look.",
    "Records of devices cannot be drawn again: there a rejection is final.",
    "The rule was written before the first report. NIST’s own marks are for information.",
)


_MEASURES = (
    ("chi-square of card by place", "khi-deux des cartes par place"),
    ("chi-square of ten tenths of p", "khi-deux des dixièmes de p"),
    ("chi-square", "khi-deux"),
    ("degrees", "degrés de liberté"),
    ("correlation with the one before", "corrélation avec le précédent"),
    ("orders with a card twice", "ordres avec une carte en double"),
    ("cards followed by the next one of the pack", "cartes suivies de la prochaine du jeu"),
    ("cards followed by a higher one", "cartes suivies d’une plus haute"),
    ("equal pairs of deals of four", "paires égales de donnes de quatre"),
    ("equal pairs of rows of", "paires égales de suites de"),
    ("count of number", "sorties du numéro"),
    (" of ", " de "),
    ("runs", "séries"),
    ("expected", "attendues"),
)


def french_measure(measures: str) -> str:
    """Return what a statistic measures, in French.

    >>> french_measure("chi-square, 51 degrees"), french_measure("count of number 3 of 52, 192.3 expected")
    ('khi-deux, 51 degrés de liberté', 'sorties du numéro 3 de 52, 192,3 attendues')
    """
    for english, words in _MEASURES:
        measures = measures.replace(english, words)
    return re.sub(r"(?<=\d)\.(?=\d)", ",", measures)


def french(name: str) -> str:
    """Return a section's or test's name in French; the name of a device stays as it is.

    >>> french("runs"), french("template 000000001")
    ('séries', 'motif 000000001')
    """
    for prefix, word in _PREFIXES.items():
        if name.startswith(prefix):
            return word + name.removeprefix(prefix)
    return FRENCH.get(name, name)
