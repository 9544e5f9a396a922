// Three cards on the table, those face down as backs: what a game's facts `face_down` and `card_1` … `card_3` say.

import { el, en, fr } from "/assets/common.js";

const SUITS = { C: ["♥", "red"], K: ["♦", "red"], P: ["♠", "black"], T: ["♣", "black"] };
const PLACES = [["1re carte", "1st"], ["2e carte", "2nd"], ["3e carte", "3rd"]];

export function cardsOf(facts) {
  if (facts.face_down === undefined) return null;
  // As the boxes stand on the layout: the third card on the left, the first on the right.
  const cards = PLACES.map(([french, english], place) => card(facts[`card_${place + 1}`], french, english)).reverse();
  return el("ol", { class: "cards" }, ...cards);
}

function card(code, french, english) {
  const name = el("small", {}, fr(french), " ", en(english));
  if (code === undefined) return el("li", { class: "back" }, el("b", { "aria-hidden": "true" }, " "), name);
  const [suit, colour] = SUITS[code.at(-1)] ?? ["★", "joker"];
  const value = code === "JOKER" ? "" : code.slice(0, -1);
  return el("li", {}, el("b", { class: `face-${colour}`, title: code }, `${value}${suit}`), name);
}
