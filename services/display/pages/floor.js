// The floor: every table of the site at a glance, from one stream.

import { $, GAMES, PHASES, both, el, en, follow, fr, money, outcome, shape, show } from "/assets/common.js";

const tiles = new Map();

function draw() {
  show($("#tables"), ...[...tiles.values()].map(drawTile));
  const open = [...tiles.values()].filter((tile) => !["closed", "prepared"].includes(tile.phase)).length;
  show($("#count"), el("b", {}, `${open} / ${tiles.size}`), " ", fr("tables ouvertes"), " ", en("tables open"));
}

function drawTile(tile) {
  const [french, english] = GAMES[tile.game] ?? [tile.game || "–", ""];
  const [phase, phaseEn, form] = PHASES[tile.phase];
  const left = tile.last_coups_left;
  const notice = tile.phase !== "closed" && left !== null
    ? el("p", { class: "notice" }, fr(left === 1 ? "Dernier lancer" : "Les trois derniers lancers"), " ", en(left === 1 ? "last spin" : "last three spins"))
    : "";
  return el("li", { class: `tile ${tile.phase}` },
    el("a", { href: `/tables/${encodeURIComponent(tile.table)}` },
      el("header", {}, el("h2", {}, tile.table), el("p", { class: "phase" }, shape(form), el("span", {}, fr(phase), en(phaseEn)))),
      el("p", { class: "game" }, fr(french), english && english !== french ? en(english) : ""),
      el("p", { class: "call" }, ...both(tile.announcement.fr, tile.announcement.en)),
      notice,
      el("ol", { class: "past", "aria-label": "Derniers résultats / Last results" }, ...drawPast(tile)),
      el("dl", {},
        fact("Minimum", "minimum bet", tile.minimum ? money(tile.minimum) : "–"),
        fact("Postes", "seats", tile.seats ? `${tile.seats_taken} / ${tile.seats}` : "–"),
        fact("Coup", "number", tile.coup || "–"))));
}

function drawPast(tile) {
  if (!tile.outcomes.length) return [el("li", { class: "none" }, fr("aucun résultat"), " ", en("no result"))];
  return tile.outcomes.map((one) => {
    const void_ = !one.shape;
    const { code, form, colour } = outcome({ result: void_ ? "voided" : "settled", outcome: one });
    const text = void_ ? "Nul" : (code.split(":")[1] ?? code);
    return el("li", { class: text.length > 2 ? "long" : "", title: `${one.fr} / ${one.en}` },
      shape(form, colour), el("b", { "aria-hidden": "true" }, text), el("span", { class: "unseen" }, `${one.fr} `));
  });
}

function fact(french, english, value) {
  return el("div", {}, el("dt", {}, ...both(french, english)), el("dd", {}, String(value)));
}

function age(isStale) {
  const link = $("#link");
  if (isStale) show(link, shape("triangle"), " ", fr("données anciennes"), " ", en("stale data"));
  else show(link, shape("circle"), " ", fr("en direct"), " ", en("live"));
  document.body.classList.toggle("stale", isStale);
}

follow("/events/floor", {
  floor: (all) => {
    tiles.clear();
    for (const tile of all) tiles.set(tile.table, tile);
    draw();
  },
  tile: (tile) => {
    tiles.set(tile.table, tile);
    draw();
  },
}, age);
