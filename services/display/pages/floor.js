// The floor: every table of the site at a glance, from one stream.

import { $, PHASES, both, el, en, follow, fr, money, outcome, room, shape, show } from "/assets/common.js";

const tiles = new Map();
const places = new Map();

function draw() {
  const list = $("#tables");
  const drawn = [...tiles.values()].map(drawTile);
  if (drawn.length !== list.children.length || drawn.some((item, at) => item !== list.children[at])) list.replaceChildren(...drawn);
  const open = [...tiles.values()].filter((tile) => !["closed", "prepared"].includes(tile.phase)).length;
  show($("#count"), el("b", {}, `${open} / ${tiles.size}`), " ", fr("tables ouvertes"), " ", en("tables open"));
}

// A tile keeps its link while what is in it changes: the keyboard's focus stays, and a click that has begun arrives.
function drawTile(tile) {
  let item = places.get(tile.table);
  if (!item) {
    item = el("li", {}, el("a", { href: `/tables/${encodeURIComponent(tile.table)}` }));
    places.set(tile.table, item);
  }
  item.className = `tile ${tile.phase}`;
  show(item.firstChild, ...told(tile));
  return item;
}

function told(tile) {
  const title = tile.title ?? { fr: tile.game || "–", en: "" };
  const [phase, phaseEn, form] = PHASES[tile.phase];
  const ending = tile.closing ?? { fr: "Fin de séance", en: "End of session" };
  const notice = tile.phase !== "closed" && tile.last_coups_left !== null
    ? el("p", { class: "notice" }, ...both(ending.fr, ending.en))
    : "";
  return [
    el("header", {}, el("h2", {}, tile.table), el("p", { class: "phase" }, shape(form), el("span", {}, fr(phase), en(phaseEn)))),
    el("p", { class: "game" }, fr(title.fr), title.en && title.en !== title.fr ? en(title.en) : ""),
    el("p", { class: "call" }, ...both(tile.announcement.fr, tile.announcement.en)),
    notice,
    el("ol", { class: "past", "aria-label": "Derniers résultats / Last results" }, ...drawPast(tile)),
    el("dl", {},
      fact("Minimum", "minimum bet", tile.minimum ? money(tile.minimum) : "–"),
      fact("Postes", "seats", tile.seats ? `${tile.seats_taken} / ${tile.seats}` : "–"),
      fact("Coup", "number", tile.coup || "–")),
  ];
}

function drawPast(tile) {
  if (!tile.outcomes.length) return [el("li", { class: "none" }, fr("aucun résultat"), " ", en("no result"))];
  return tile.outcomes.map((one) => {
    const void_ = !one.shape;
    const { short, form, colour } = outcome({ result: void_ ? "voided" : "settled", outcome: one });
    return el("li", { class: room(short), title: `${one.fr} / ${one.en}` },
      shape(form, colour), el("b", { "aria-hidden": "true" }, short), el("span", { class: "unseen" }, `${one.fr} `));
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
