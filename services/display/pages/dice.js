// Dice of any number of sides, as they lie: a cube with pips, other solids by their face with its number. A die that has
// not rolled yet is an outline that says what it is.

import { el, en, fr, svg } from "/assets/common.js";

// Which of the nine places of a cube's face have a pip, by what the face shows.
const PIPS = { 0: [], 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

// Outline, the edges seen on it, the height of the middle of the number, and its size.
const SOLIDS = {
  4: ["M50 4L97 90H3z", "", 66, 36],
  8: ["M50 2L94 60L50 98L6 60z", "M6 60H94", 42, 34],
  10: ["M50 2L97 42V58L50 98L3 58V42z", "M50 2L80 58L50 74L20 58zM80 58L97 50M20 58L3 50M50 74V98", 48, 33],
  12: [
    "M50 2L78 11L95 35V65L78 89L50 98L22 89L5 65V35L22 11z",
    "M50 20L80 41L68 76H32L20 41zM50 20V2M80 41L95 35M68 76L78 89M32 76L22 89M20 41L5 35",
    53, 34,
  ],
  20: [
    "M50 2L93 26V74L50 98L7 74V26z",
    "M50 14L82 70H18zM50 14V2M50 14L93 26M50 14L7 26M82 70L93 26M82 70L93 74M82 70L50 98M18 70L7 26M18 70L7 74M18 70L50 98",
    54, 31,
  ],
};
const ANY = ["M50 3a47 47 0 1 0 0 94a47 47 0 1 0 0-94z", "", 52, 36];

export function die({ sides, face, roll }) {
  const kind = face ? "die" : "die waiting";
  const drawn = svg("svg", { viewBox: "0 0 100 100", class: kind, "aria-hidden": "true" }, ...(sides === 6 ? cube(face) : solid(sides, face)));
  const said = `${roll ? `${roll.fr} : ` : ""}${face || `dé à ${sides} faces`}`;
  const words = roll ? el("small", { "aria-hidden": "true" }, fr(roll.fr), en(roll.en)) : "";
  return el("li", { title: roll ? `${roll.fr} / ${roll.en}` : "" }, drawn, el("span", { class: "unseen" }, said), words);
}

export const dice = (all) => (all.length ? el("ol", { class: "dice" }, ...all.map(die)) : "");

function cube(face) {
  const body = svg("rect", { class: "body", x: 4, y: 4, width: 92, height: 92, rx: 18 });
  const pips = PIPS[face].map((place) => svg("circle", { cx: 24 + 26 * (place % 3), cy: 24 + 26 * Math.floor(place / 3), r: 9 }));
  return face ? [body, ...pips] : [body, number("D6", 50, 32)];
}

function solid(sides, face) {
  const [outline, edges, middle, size] = SOLIDS[sides] ?? ANY;
  return [
    svg("path", { class: "body", d: outline }),
    svg("path", { class: "edges", d: edges }),
    number(face || `D${sides}`, middle, face ? size : size - 6),
  ];
}

function number(what, middle, size) {
  return svg("text", { x: 50, y: middle + 0.36 * size, "font-size": size, "text-anchor": "middle" }, String(what));
}
