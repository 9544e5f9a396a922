// The chances of a game with what they pay: rows, the smaller prizes behind one of them, and what else may be staked.

import { $, both, decimal, el, en, fr, money, shape, show } from "/assets/common.js";

// More lines than this stand in two columns.
const ONE_COLUMN = 10;

export function drawPaytable(board, won) {
  const lines = board.rows.filter(firstOfFamily);
  const paid = lines.some((row) => row.gain !== "");
  const box = $("#pays");
  box.classList.toggle("many", lines.length > ONE_COLUMN);
  box.classList.toggle("few", lines.length < 4);
  box.classList.toggle("unpaid", !paid);
  box.style.setProperty("--half", Math.ceil(lines.length / 2));
  show($("#rows"), ...lines.map((row) => line(row, won(row), paid)));
  box.hidden = lines.length === 0;
  const extra = board.extra_rows.filter((row) => row.gain !== "");
  show($("#extra"), ...prizes(extra, board));
  $("#extra").hidden = extra.length === 0;
  // What has no gain and no odds of its own explains the game: stakes made in its course, the dice that are rolled.
  const rest = board.extra_rows.filter((row) => row.gain === "" && row.edge === null);
  show($("#legend"), ...rest.map((row) => el("li", {}, shape(row.shape, row.colour), el("span", {}, ...both(row.fr, row.en)))));
  $("#legend").hidden = rest.length === 0;
}

function line(row, isWon, paid) {
  return el("tr", { class: isWon ? "won" : "", role: "row" },
    el("td", { class: "mark", role: "cell" }, shape(row.shape, row.colour)),
    el("th", { scope: "row", role: "rowheader" }, ...called(row)),
    paid ? el("td", { class: "gain", role: "cell" }, el("b", {}, row.gain ? row.gain.split("-").map(decimal).join("–") : "–"), row.gain ? el("small", {}, " : 1") : "") : "",
    el("td", { class: "most", role: "cell" }, el("small", { class: "max" }, "max. "), row.maximum === null ? "–" : money(row.maximum)));
}

// Rows of one family differ only in the boxes that they cover: one line stands for all.
function firstOfFamily({ family }, place, rows) {
  return !family || rows.findIndex((row) => row.family?.code === family.code) === place;
}

function called({ spot, fr: french, en: english, family }) {
  if (family) return both(family.fr, family.en);
  const figure = bare(french, spot) === french ? [] : [el("b", {}, spot), " "];
  return [...figure, ...both(bare(french, spot), bare(english, spot))];
}

// The name of a chance without its figure, which stands before it ("Vert foncé 2" is shown as "2 Vert foncé").
function bare(name, spot) {
  return name.toLowerCase().endsWith(` ${spot.toLowerCase()}`) ? name.slice(0, -spot.length - 1) : name;
}

function prizes(rows, board) {
  const shown = rows.map((row) =>
    el("span", { class: "inner" }, shape(row.shape, row.colour), el("span", { class: "unseen" }, row.fr),
      el("b", { "aria-hidden": "true" }, figureOf(row)), el("small", {}, `${decimal(row.gain)} : 1`)));
  return rows.length ? [el("span", { class: "title" }, ...titleOf(board)), ...shown] : [];
}

// A figure (BONUS_250, RAMPO-8) stands for itself, anything else is called by its name.
function figureOf({ spot, fr: french }) {
  const figure = spot.split(/[_-]/).at(-1);
  return /^[0-9]+$/.test(figure) ? figure : french;
}

// What the extra rows are about: the word that they all begin with, or the row whose spot does (MAIN for MAIN_BRELAN).
function titleOf({ rows, extra_rows: extra }) {
  const [word] = extra[0].fr.split(" ");
  if (extra.every(({ fr: name }) => name.startsWith(`${word} `))) return [fr(word), " "];
  const base = rows.find(({ spot }) => extra[0].spot.startsWith(`${spot}_`));
  return base ? [fr(base.fr), " ", en(base.en)] : [];
}
