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
th, th.small { font-size: 0.85rem; color: var(--ink); }
td:first-child { min-width: 15rem; } td .en, th .en { display: block; font-size: 0.9rem; }
 td.n, th.n { text-align: right; white-space: nowrap; }
tr.bad td { background: color-mix(in srgb, var(--bad) 12%, transparent); }
.wide { overflow-x: auto; } ol { padding-left: 1.4rem; } summary { cursor: pointer; padding: 0.5rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1.5rem; } dd { margin: 0; }
svg { display: block; fill: var(--dim); } .small { color: var(--dim); font-size: 0.9rem; }
td.r span { white-space: nowrap; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2.5rem; }
@media screen and (max-width: 50rem) {
  .two, dl { grid-template-columns: 1fr; } dd { margin: 0 0 0.5rem 1rem; } thead { display: none; }
  tr { display: grid; grid-template-columns: 1fr 1fr 1fr; padding: 0.75rem 0; border-bottom: 1px solid var(--rule); }
  td, td.n { border: 0; padding: 0.15rem 0.5rem 0.15rem 0; text-align: left; }
  td::before { content: attr(data-of); display: block; color: var(--dim); font-size: 0.8rem; }
  td:first-child, td.r, td.small { grid-column: 1 / -1; } td:first-child { font-weight: 700; } td.small { order: 1; }
  td.r { display: flex; gap: 0.5rem; } td.r::before { display: none; }
  td.small::before { display: inline; margin-right: 0.5rem; }
}
@media print { body { max-width: none; padding: 0; } details > * { display: block; } tr { break-inside: avoid; } }
"""

Columns = tuple[tuple[str, str, str], ...]
"""Of each column its name in French and in English, and how it is set: `n` a number, `r` the result, `small`."""

_BATTERY: Columns = (
    ("Test", "Test", ""),
    ("Séquences", "Sequences", "n"),
    ("p ≥ 0,01", "p ≥ 0.01", "n"),
    ("p", "p", "n"),
    ("Dixièmes de p", "Tenths of p", ""),
    ("khi-deux", "chi-square", "n"),
    ("p", "p", "n"),
    ("NIST", "NIST", "small"),
    ("Résultat", "Result", "r"),
)


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
        ("Établi le", "Made at", f"{_moment(report.made_at)} · Python {escape(report.python)}"),
        ("Niveau", "Level", f"{_number((1 - report.level) * 100)} %"),
    ]
    rows += [
        (french(one.name), one.name, f"{_number(one.samples)} {'bits' if one.name == RAW else _what(one)}")
        for one in report.sections
    ]
    rows += [
        (
            f"{one.name}, non jugé",
            f"{one.name}, not judged",
            f"{counts[0]} relevés, il en faut {counts[1]} {_en(f'{counts[0]} records, {counts[1]} are needed')}",
        )
        for one in report.left_out
        for counts in [(_number(one.samples), _number(one.needed))]
    ]
    return (
        "<dl>"
        + "".join(f"<dt>{escape(fr)} {_en(en if en != fr else '')}</dt><dd>{value}</dd>" for fr, en, value in rows)
        + "</dl>"
    )


def _moment(at: str) -> str:
    """Return date and hour as people write them."""
    return escape(at.replace("T", " ").replace("+00:00", " UTC"))


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
    columns: Columns = (
        ("Test", "Test", ""), ("Échantillons", "Samples", "n"), ("Statistique", "Statistic", "n"),
        ("Mesure", "Measures", "small"), ("p", "p", "n"), ("Résultat", "Result", "r"),
    )  # fmt: skip
    rows = []
    for one in findings:
        part = ", première carte" if one.section.endswith(", top card") else ""
        name = f"{escape(french(one.test) + part)} {_en(one.test + (', top card' if part else ''))}"
        measure = f"{escape(french_measure(one.measures))} {_en(one.measures)}"
        cells = [name, _number(one.samples), _number(one.statistic), measure, _p(one), _verdict(one)]
        rows.append(_row(columns, cells, one))
    return _table(columns, rows)


def _battery(section: Section) -> str:
    """Put both questions about a test into one line; the templates, which are many, behind a fold."""
    plain: list[str] = []
    templates: list[str] = []
    for name, both in groupby(section.findings, key=lambda one: one.test.rpartition(": ")[0]):
        proportion, uniformity = both
        (templates if name.startswith("template") else plain).append(_battery_row(name, proportion, uniformity))
    marks = sum(one.nist is False for one in section.findings)
    words = f"{len(templates)} motifs sans recouvrement"
    return (
        f'<p class="small">NIST SP 800-22 Rév. 1a · {len(section.findings)} questions, '
        f"{marks} hors des repères du NIST · "
        f"{_en('outside of NIST’s own marks')}</p>"
        f"{_table(_BATTERY, plain)}"
        f"<details><summary>{words} {_en('templates without overlap')}</summary>{_table(_BATTERY, templates)}</details>"
    )


def _battery_row(name: str, proportion: Finding, uniformity: Finding) -> str:
    worse = min((proportion, uniformity), key=lambda one: (one.verdict != "failed", one.p))
    marks = "✓" if proportion.nist and uniformity.nist else f"hors repère {_en('outside')}"
    first = [f"{escape(french(name))} {_en(name)}", _number(proportion.samples)]
    passing = [_number(proportion.statistic), _p(proportion)]
    spread = [_bars(uniformity.bins), _number(uniformity.statistic), _p(uniformity)]
    return _row(_BATTERY, [*first, *passing, *spread, marks, _verdict(worse)], worse)


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
    columns: Columns = (("Test", "Test", ""), ("Publié", "Published", "n"), ("Ici", "Here", "n"), ("", "", ""))
    rows = []
    for one in known:
        name, sign = f"{escape(french(one.name))} {_en(one.name)}", "✓" if one.agrees else "✗"
        rows.append(_row(columns, [name, _exact(one.published), _exact(one.ours), sign]))
    return (
        f"<h2>La batterie elle-même {_en('The battery itself')}</h2>"
        '<p class="small">Le premier million de chiffres binaires de e, comparé aux valeurs publiées par le NIST '
        f"{_en('The first million binary digits of e, beside the values that NIST published')}</p>"
        f"{_table(columns, rows)}"
    )


def _table(columns: Columns, rows: Iterable[str]) -> str:
    cells = (f'<th class="{kind}">{escape(fr)}{" " + _en(en) if en != fr else ""}</th>' for fr, en, kind in columns)
    head = f"<thead><tr>{''.join(cells)}</tr></thead>"
    return f'<div class="wide"><table>{head}<tbody>{"".join(rows)}</tbody></table></div>'


def _row(columns: Columns, cells: Sequence[str], one: Finding | None = None) -> str:
    """Return a row; on a narrow screen each cell says what it is of, except the first and the result."""
    said = ""
    for place, ((fr, _, kind), cell) in enumerate(zip(columns, cells, strict=True)):
        of = f' data-of="{escape(fr)}"' if place else ""
        said += f'<td class="{kind}"{of}>{cell}</td>'
    return f"<tr{' class=bad' if one is not None and one.verdict == 'failed' else ''}>{said}</tr>"


def _verdict(one: Finding) -> str:
    sign, fr, en = VERDICTS[one.verdict]
    kind = "bad" if one.verdict == "failed" else "good"
    return f'<span class="{kind}">{sign}\u00a0{fr}</span> {_en(en)}'


def _p(one: Finding) -> str:
    return _chance(one.p) + ("" if one.again_p is None else f"<br>{_chance(one.again_p)}")


def _chance(p: float) -> str:
    return f"{p:.4f}".replace(".", ",") if p >= 0.0001 else f"{p:.1e}".replace(".", ",")


def _exact(p: float) -> str:
    return f"{p:.6f}".replace(".", ",")


def _number(value: float) -> str:
    """Write a number as the French do: a narrow space and a comma."""
    if value == int(value):
        return f"{int(value):,}".replace(",", "\u202f")
    return f"{value:,.{4 if abs(value) < 10 else 2}f}".replace(",", "\u202f").replace(".", ",")


def _en(text: str) -> str:
    return f'<span class="en" lang="en">{escape(text)}</span>'


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
