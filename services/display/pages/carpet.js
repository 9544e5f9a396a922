// What lies on the table, in words that all games share: dice, cards, a pot and those who play for it.

import { dice } from "/assets/dice.js";
import { both, el, en, fr, money, shape } from "/assets/common.js";

// So many players stand side by side; more stand in two rows.
const IN_A_ROW = 6;
const STANDING = { in: "circle", open: "ring", out: "cross" };

// Beside the ring: what is said and what is the case, the dice and cards that are nobody's own. Null when there is none.
export function middle({ notes, situation, carpet }) {
  const lying = [
    ...notes.map((note) => el("p", { class: "note" }, ...both(note.fr, note.en))),
    dice(carpet.dice),
    cards(carpet.cards),
    ...situation.map((line) => el("p", { class: "line" }, ...both(line.fr, line.en))),
  ].filter((one) => one !== "");
  return lying.length ? el("div", { class: "middle" }, ...lying) : null;
}

const cards = (all) => (all.length ? el("ol", { class: "cards" }, ...all.map(card)) : "");

function card({ place, sign, colour }) {
  const name = el("small", {}, fr(place.fr), " ", en(place.en));
  if (!sign) return el("li", { class: "back" }, el("b", { "aria-hidden": "true" }, " "), el("span", { class: "unseen" }, "face cachée"), name);
  return el("li", {}, el("b", { class: `face-${colour}` }, sign), name);
}

// In place of the paytable, once players play against one another: the pot, and what each has in it.
export function pot({ pot, sums, contenders }) {
  if (!pot) return [];
  return [
    el("dl", { class: "pot" }, sum(pot, "main"), ...sums.map((one) => sum(one))),
    el("ol", { class: `contenders ${contenders.length > IN_A_ROW ? "rows" : "row"}` }, ...contenders.map(contender)),
  ];
}

const sum = ({ name, amount }, kind = "") =>
  el("div", { class: kind }, el("dt", {}, ...both(name.fr, name.en)), el("dd", {}, money(amount)));

function contender({ seat, standing, staked, dice: rolls, awaited, won, to_pay: toPay, word }) {
  const kind = `contender ${standing}${awaited ? " awaited" : ""}${won ? " won" : ""}`;
  const more = toPay ? el("span", { class: "more" }, " + ", el("span", { class: "unseen" }, "à payer "), money(toPay)) : "";
  return el("li", { class: kind },
    el("div", { class: "who" },
      el("p", { class: "seat" }, el("span", { class: "unseen" }, "Place "), el("b", {}, String(seat)), shape(STANDING[standing])),
      word ? el("p", { class: "word" }, ...both(word.fr, word.en)) : "",
      el("p", { class: "stake" }, el("span", { class: "unseen" }, "a mis "), money(staked), more)),
    dice(rolls));
}
