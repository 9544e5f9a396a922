// Two dice on the table, who throws them, and the rampo zone: what a game's facts `pair`, `shooter`, `faces` and
// `rampo_number` say; beside them the announcements that come on top of the first one.

import { el, en, fr } from "/assets/common.js";

const SVG = "http://www.w3.org/2000/svg";
// Which of the nine places of a face have a pip, by what the face shows.
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

export function diceOf({ facts, notes, phase }) {
  if (facts.pair === undefined) return null;
  const faces = phase !== "betting" && facts.faces ? facts.faces.split("-") : [];
  const dice = faces.length ? el("p", { class: "dice", title: facts.faces }, ...faces.map(die), el("span", { class: "unseen" }, facts.faces)) : "";
  return el("div", { class: "throw" }, ...notes.map(note), dice, shooter(facts), zone(facts));
}

function die(face) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("class", "die");
  svg.setAttribute("aria-hidden", "true");
  svg.append(shape("rect", { x: 4, y: 4, width: 92, height: 92, rx: 18 }));
  svg.append(...PIPS[face].map((place) => shape("circle", { cx: 24 + 26 * (place % 3), cy: 24 + 26 * Math.floor(place / 3), r: 9 })));
  return svg;
}

function shape(name, attributes) {
  const one = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  return one;
}

const note = (announcement) => el("p", { class: "note" }, fr(announcement.fr), " ", en(announcement.en));

const shooter = ({ shooter: seat }) =>
  seat === undefined ? "" : el("p", { class: "line" }, fr(`Tireur : poste ${seat}`), " ", en(`shooter: seat ${seat}`));

const zone = ({ rampo_number: number, rampo_seats: seats }) =>
  number === undefined ? "" : el("p", { class: "line zone" }, fr(`Rampo tenté sur le ${number}, postes ${seats}`), " ", en(`tried by seats ${seats}`));
