// What all pages share: shapes, money, words, and the live stream with its own eye on how old the data is.

const SVG = "http://www.w3.org/2000/svg";

const SHAPES = {
  circle: "M50 4a46 46 0 1 0 0 92a46 46 0 1 0 0-92z",
  square: "M8 8h84v84h-84z",
  triangle: "M50 5L97 91H3z",
  diamond: "M50 2L96 50L50 98L4 50z",
  pentagon: "M50 4L97 39L79 95H21L3 39z",
  hexagon: "M27 8H73L98 50L73 92H27L2 50z",
  star: "M50 2L63 36L99 38L71 61L81 96L50 76L19 96L29 61L1 38L37 36z",
  cross: "M20 5L50 35L80 5L95 20L65 50L95 80L80 95L50 65L20 95L5 80L35 50L5 20z",
  ring: "M50 4a46 46 0 1 0 0 92a46 46 0 1 0 0-92zM50 24a26 26 0 1 1 0 52a26 26 0 1 1 0-52z",
};

export const PHASES = {
  closed: ["Fermée", "Closed", "cross"],
  prepared: ["En préparation", "Being prepared", "ring"],
  idle: ["En attente", "Waiting", "ring"],
  betting: ["Mises ouvertes", "Betting open", "circle"],
  locked: ["Mises fermées", "Betting closed", "square"],
  decision: ["Décision attendue", "Decision awaited", "diamond"],
  drawing: ["Tirage en cours", "Being drawn", "triangle"],
  settled: ["Résultat", "Result", "star"],
};

export const STALE_MS = 5000;
const REOPEN_MS = 2000;

export const $ = (selector) => document.querySelector(selector);

export const el = (name, attributes = {}, ...children) => filled(document.createElement(name), attributes, children);
export const svg = (name, attributes, ...children) => filled(document.createElementNS(SVG, name), attributes, children);

function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

export const fr = (text, name = "span") => el(name, { lang: "fr" }, text);
export const en = (text, name = "span") => el(name, { lang: "en" }, text);

// French with English beside it, unless both are the same word.
export const both = (french, english) =>
  french.toLowerCase() === english.toLowerCase() ? [fr(french)] : [fr(french), " ", en(english)];

export const shape = (name, colour = "") =>
  svg("svg", { viewBox: "0 0 100 100", class: `shape ${colour}`, "aria-hidden": "true" },
    svg("path", { d: SHAPES[name] ?? SHAPES.circle, "fill-rule": "evenodd" }));

// A whole amount is shown without cents: it is read from three metres.
const currency = document.body.dataset.currency;
const whole = new Intl.NumberFormat("fr-FR", { style: "currency", currency, maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat("fr-FR", { style: "currency", currency });
export const money = (cents) => (cents % 100 === 0 ? whole : exact).format(cents / 100);

// Replaces the content of a node only when it differs, so that nothing is announced or laid out twice.
export function show(node, ...children) {
  const next = el("div", {}, ...children);
  if (next.innerHTML !== node.innerHTML) node.replaceChildren(...next.childNodes);
}

// How much room a short word needs: a figure of one or two digits is shown largest.
export const room = (text) => (text.length <= 2 ? "" : text.length <= 4 ? "long" : text.length <= 7 ? "longer" : "longest");

export const decimal = (gain) => gain.replace(".", ",");

export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function outcome(past) {
  const void_ = past.result === "voided";
  const { code, fr: french, en: english, shape: form, colour, short, beside } = past.outcome;
  const brief = void_ ? { short: "Nul", beside: "" } : { short: short || code, beside };
  return { void_, code, french, english, ...brief, form: void_ ? "cross" : form || "circle", colour: void_ ? "" : colour };
}

// The live stream. `on` maps event names to functions of the decoded data; `age` is told whether the data is stale.
export function follow(url, on, age) {
  let source = null;
  const began = performance.now();
  let heard = began;
  let opened = began;
  let beaten = began;
  let offset = null;

  const open = () => {
    source?.close();
    opened = performance.now();
    source = new EventSource(url);
    for (const [name, take] of Object.entries(on)) {
      source.addEventListener(name, (event) => take(JSON.parse(event.data)));
    }
    source.addEventListener("beat", (event) => {
      const beat = JSON.parse(event.data);
      offset = beat.now_ms - Date.now();
      beaten = performance.now();
      // A display that has lost the log itself still beats: what it shows is old all the same.
      heard = beat.live ? performance.now() : -Infinity;
      watch();
    });
  };

  const watch = () => {
    const now = performance.now();
    age(now - heard > STALE_MS);
    // A browser gives up for good on an error status, and does not notice a connection that died without a word.
    const wait = source.readyState === EventSource.CLOSED ? REOPEN_MS : 2 * STALE_MS;
    if (now - Math.max(beaten, opened) > wait) open();
  };

  open();
  setInterval(watch, 500);
  // Null until the server's clock is known: a countdown by a wrong clock would be worse than none.
  return { now: () => (offset === null ? null : Date.now() + offset) };
}
