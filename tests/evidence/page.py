"""The report as one HTML page that needs nothing else: for the screen, for print, French first."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from tests.evidence.battery import Known
from tests.evidence.judging import BINS, Finding
from tests.evidence.report import RAW, Report, Section
from tests.evidence.words import RULE_EN, RULE_FR, VERDICTS, french, french_measure

_STYLE = """
:root { --ink: #17211c; --dim: #55635b; --rule: #c9d3cd; --ground: #fff; --good: #0b6b3a; --bad: #a01818; }
@media (prefers-color-scheme: dark) { :root { --ink: #f5f3ea; --dim: #b3c2b9; --rule: #34493f; --ground: #0c1812;
  --good: #7fdba5; --bad: #ff9a90; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 70rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 "Atkinson Hyperlegible Next", "Atkinson Hyperlegible", Verdana, "DejaVu Sans", sans-serif; }
h1 { font-size: 2.2rem; line-height: 1.15; margin: 0; } h2 { margin: 2.75rem 0 0.25rem; font-size: 1.4rem; }
.en { color: var(--dim); font-weight: 400; } h1 .en, h2 .en { display: block; font-size: 1.05rem; }
.verdict { display: flex; gap: 1rem; align-items: center; margin: 1.5rem 0; padding: 1rem 1.25rem;
  border: 2px solid; border-radius: 0.5rem; font-size: 1.25rem; font-weight: 700; }
.verdict b { font-size: 2rem; line-height: 1; } .good { color: var(--good); } .bad { color: var(--bad); }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 0.35rem 0.6rem; border-bottom: 1px solid var(--rule); vertical-align: top; }
th { font-size: 0.85rem; }
td:first-child { min-width: 15rem; } td .en, th .en { display: block; font-size: 0.9rem; }
 td.n, th.n { text-align: right; white-space: nowrap; }
tr.bad td { background: color-mix(in srgb, var(--bad) 12%, transparent); }
.wide { overflow-x: auto; } ol { padding-left: 1.4rem; } summary { cursor: pointer; padding: 0.5rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1.5rem; } dd { margin: 0; }
svg { display: block; fill: var(--dim); } .small { color: var(--dim); font-size: 0.9rem; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2.5rem; }
@media (max-width: 50rem) { .two, dl { grid-template-columns: 1fr; } dd { margin: 0 0 0.5rem 1rem; } }
@media print { body { max-width: none; padding: 0; } details > * { display: block; } tr { break-inside: avoid; } }
"""


def page(report: Report) -> str:
    """Return the page."""
    title = "Rapport sur le hasard"
    return "\n".join(
        [
            '<!doctype html><html lang="fr"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title><style>{_STYLE}</style></head><body>",
            f"<h1>{title} {_en('Report on chance')}</h1>",
            _banner(report),
            _about(report),
            _rule(),
            *(_section(section) for section in report.sections),
            _known(report.known) if report.known else "",
            "</body></html>",
        ]
    )


def _banner(report: Report) -> str:
    sign, fr, en = VERDICTS["passed" if report.passed else "failed"]
    second = [one for section in report.sections for one in section.findings if one.again_p is not None]
    more = f" ({len(second)} au second examen · at a second look)" if second else ""
    kind = "good" if report.passed else "bad"
    return f'<p class="verdict {kind}"><b>{sign}</b><span>{_capital(fr)}{more} {_en(_capital(en))}</span></p>'


def _about(report: Report) -> str:
    own = report.subject == "generator"
    subject = "le générateur du service rng, par le chemin de chaque tirage" if own else escape(report.subject)
    subject_en = "the generator of the service rng, on the path of every draw" if own else "records of devices"
    rows = [
        ("Objet", "Subject", f"{subject} {_en(subject_en)}"),
        ("Établi le", "Made at", f"{escape(report.made_at)} · Python {escape(report.python)}"),
        ("Niveau", "Level", f"{_number((1 - report.level) * 100)} %"),
    ]
    rows += [
        (french(one.name), one.name, f"{_number(one.samples)} {'bits' if one.name == RAW else _what(one)}")
        for one in report.sections
    ]
    return (
        "<dl>"
        + "".join(f"<dt>{escape(fr)} {_en(en if en != fr else '')}</dt><dd>{value}</dd>" for fr, en, value in rows)
        + "</dl>"
    )


def _what(section: Section) -> str:
    return f"échantillons {_en('samples')}, {len(section.findings)} tests"


def _rule() -> str:
    def items(sentences: Iterable[str]) -> str:
        return "<ol>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "</ol>"

    return (
        f"<h2>La règle {_en('The rule')}</h2>"
        f'<div class="two"><div>{items(RULE_FR)}</div><div class="en" lang="en">{items(RULE_EN)}</div></div>'
    )


def _section(section: Section) -> str:
    head = (
        f"<h2>{escape(french(section.name))} {_en(section.name if french(section.name) != section.name else '')}</h2>"
    )
    return head + (_battery(section) if section.name == RAW else _findings(section.findings))


def _findings(findings: Sequence[Finding]) -> str:
    head = _head(
        ("Test", "Test", ""), ("Échantillons", "Samples", "n"), ("Statistique", "Statistic", "n"),
        ("Mesure", "Measures", ""), ("p", "p", "n"), ("Résultat", "Result", ""),
    )  # fmt: skip
    rows = []
    for one in findings:
        part = ", première carte" if one.section.endswith(", top card") else ""
        name = f"{escape(french(one.test) + part)} {_en(one.test + (', top card' if part else ''))}"
        cells = (
            f"<td>{name}</td><td class=n>{_number(one.samples)}</td><td class=n>{_number(one.statistic)}</td>"
            f'<td class="small">{escape(french_measure(one.measures))} {_en(one.measures)}</td>'
            f"<td class=n>{_p(one)}</td><td>{_verdict(one)}</td>"
        )
        rows.append(_row(one, cells))
    return f'<div class="wide"><table>{head}{"".join(rows)}</table></div>'


def _battery(section: Section) -> str:
    """Put both questions about a test into one line; the templates, which are many, behind a fold."""
    plain: list[str] = []
    templates: list[str] = []
    for name, both in groupby(section.findings, key=lambda one: one.test.rpartition(": ")[0]):
        proportion, uniformity = both
        (templates if name.startswith("template") else plain).append(_battery_row(name, proportion, uniformity))
    marks = sum(one.nist is False for one in section.findings)
    head = _head(
        ("Test", "Test", ""), ("Séquences", "Sequences", "n"), ("p ≥ 0,01", "p ≥ 0.01", "n"), ("p", "p", "n"),
        ("Dixièmes de p", "Tenths of p", ""), ("khi-deux", "chi-square", "n"), ("p", "p", "n"),
        ("NIST", "NIST", ""), ("Résultat", "Result", ""),
    )  # fmt: skip
    words = f"{len(templates)} motifs sans recouvrement"
    return (
        f'<p class="small">NIST SP 800-22 Rév. 1a · {len(section.findings)} questions, '
        f"{marks} hors des repères du NIST "
        f"{_en('outside of NIST’s own marks')}</p>"
        f'<div class="wide"><table>{head}{"".join(plain)}</table></div>'
        f"<details><summary>{words} {_en('templates without overlap')}</summary>"
        f'<div class="wide"><table>{head}{"".join(templates)}</table></div></details>'
    )


def _battery_row(name: str, proportion: Finding, uniformity: Finding) -> str:
    worse = min((proportion, uniformity), key=lambda one: (one.verdict != "failed", one.p))
    marks = "·" if proportion.nist and uniformity.nist else "hors repère"
    cells = (
        f"<td>{escape(french(name))} {_en(name)}</td><td class=n>{_number(proportion.samples)}</td>"
        f"<td class=n>{_number(proportion.statistic)}</td><td class=n>{_p(proportion)}</td>"
        f"<td>{_bars(uniformity.bins)}</td><td class=n>{_number(uniformity.statistic)}</td>"
        f"<td class=n>{_p(uniformity)}</td><td class=small>{marks}</td><td>{_verdict(worse)}</td>"
    )
    return _row(worse, cells)


def _bars(bins: Sequence[int]) -> str:
    """Draw how many p-values fell into each tenth; the line is where all would be alike."""
    most = max([*bins, 1])
    bars = "".join(
        f'<rect x="{8 * place}" y="{24 - 24 * count / most:.1f}" width="7" height="{24 * count / most:.1f}"/>'
        for place, count in enumerate(bins)
    )
    label = ", ".join(str(count) for count in bins)
    return f'<svg width="{8 * BINS}" height="24" role="img" aria-label="{label}">{bars}</svg>'


def _known(known: Sequence[Known]) -> str:
    head = _head(("Test", "Test", ""), ("Publié", "Published", "n"), ("Ici", "Here", "n"), ("", "", ""))
    rows = "".join(
        f"<tr><td>{escape(french(one.name))} {_en(one.name)}</td><td class=n>{one.published:.6f}</td>"
        f"<td class=n>{one.ours:.6f}</td><td>{'✓' if one.agrees else '✗'}</td></tr>"
        for one in known
    )
    return (
        f"<h2>La batterie elle-même {_en('The battery itself')}</h2>"
        '<p class="small">Le premier million de chiffres binaires de e, comparé aux valeurs publiées par le NIST '
        f"{_en('The first million binary digits of e, beside the values that NIST published')}</p>"
        f'<div class="wide"><table>{head}{rows}</table></div>'
    )


def _row(one: Finding, cells: str) -> str:
    return f"<tr{' class=bad' if one.verdict == 'failed' else ''}>{cells}</tr>"


def _verdict(one: Finding) -> str:
    sign, fr, en = VERDICTS[one.verdict]
    kind = "bad" if one.verdict == "failed" else "good"
    return f'<span class="{kind}">{sign}\u00a0{fr}</span> {_en(en)}'


def _p(one: Finding) -> str:
    return _chance(one.p) + ("" if one.again_p is None else f"<br>{_chance(one.again_p)}")


def _chance(p: float) -> str:
    return f"{p:.4f}".replace(".", ",") if p >= 0.0001 else f"{p:.1e}".replace(".", ",")


def _number(value: float) -> str:
    """Write a number as the French do: a narrow space and a comma."""
    if value == int(value):
        return f"{int(value):,}".replace(",", "\u202f")
    return f"{value:,.{4 if abs(value) < 10 else 2}f}".replace(",", "\u202f").replace(".", ",")


def _head(*columns: tuple[str, str, str]) -> str:
    cells = (
        f"<th class={kind or 'w'}>{escape(fr)}{' ' + _en(en) if en != fr else ''}</th>" for fr, en, kind in columns
    )
    return f"<tr>{''.join(cells)}</tr>"


def _en(text: str) -> str:
    return f'<span class="en" lang="en">{escape(text)}</span>'


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
