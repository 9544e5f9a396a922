// One table's board: the announcement, the ring of seconds, the paytable, the last results.

import { middle, pot } from "/assets/carpet.js";
import { $, PHASES, decimal, el, en, follow, fr, money, outcome, room, say, shape, show, svg } from "/assets/common.js";
import { drawPaytable } from "/assets/paytable.js";

const TICKS = 60;
const CLOCKWISE = { clockwise: true, anticlockwise: false, counterclockwise: false };
const table = document.body.dataset.table;
const ticks = drawRing();
let board = null;
let announced = null;
let stale = false;

function drawRing() {
  const mark = { x: -3, y: -97, width: 6, height: 20, rx: 2.5 };
  const marks = Array.from({ length: TICKS }, (_, place) => svg("rect", { ...mark, transform: `rotate(${(place * 360) / TICKS})` }));
  $("#ring").prepend(svg("svg", { viewBox: "-100 -100 200 200", "aria-hidden": "true" }, svg("g", {}, ...marks)));
  return marks;
}

// -- the announcement: as large as its line allows -------------------------------------------------------------------
function announce(french, english) {
  const key = `${french}|${english}`;
  if (key === announced) return;
  announced = key;
  // What follows a comma explains: it goes on the second line, so that the word itself stays large.
  const [, main, rest] = /^([^,:;]+?)(?:\s*[,:;]\s*(.+))?$/.exec(french) ?? [null, french];
  say($("#call-fr"), main);
  say($("#call-more"), rest ?? "");
  say($("#call-en"), english === french ? "" : english);
  fit();
}

function fit() {
  const line = $("#call-fr");
  line.classList.remove("wrapped");
  for (let size = 100; size >= 60; size -= 5) {
    line.style.fontSize = size === 100 ? "" : `calc(var(--call) * ${size / 100})`;
    if (line.scrollWidth <= line.clientWidth) return;
  }
  line.style.fontSize = "";
  line.classList.add("wrapped");
}

// -- the parts of the board ------------------------------------------------------------------------------------------
function drawHead() {
  const title = board.title ?? { fr: board.game || "Tapis", en: "" };
  say($("#game-fr"), title.fr);
  say($("#game-en"), title.en === title.fr ? "" : title.en);
  say($("#session"), board.session || "–");
  say($("#coup"), board.coup || "–");
  const left = board.last_coups_left;
  const notice = $("#last-coups");
  const open = board.phase !== "closed" && left !== null;
  notice.hidden = !open;
  document.body.classList.toggle("closing", open);
  if (open) show(notice, ...lastCoups(left));
}

function lastCoups(left) {
  const words = board.closing ?? { fr: "Fin de séance", en: "End of session" };
  const [french, english] = [words.fr, words.en];
  const rest = left > 1 ? el("b", { class: "rest" }, `encore ${left}`) : null;
  return [fr(french, "strong"), " ", en(english), rest];
}

function drawCall() {
  if (stale) announce("Données anciennes", "Stale data, please ask the croupier");
  else announce(board.announcement.fr, board.announcement.en);
}

// Beside the ring: the phase in a word, and what it means for the player.
function drawSaid() {
  const [french, english, form] = PHASES[board.phase];
  const phase = el("p", { class: "phase" }, shape(form), el("span", {}, fr(french), en(english)));
  const lying = middle(board);
  // After a void there is nothing to show of the coup but why: that stands beside what still is the case.
  const void_ = board.phase === "idle" && board.last?.result === "voided" ? explained(board.last) : [];
  if (stale) show($("#said"));
  else if (void_.length) show($("#said"), phase, ...void_, lying ?? "");
  else if (lying && board.phase !== "closed") show($("#said"), phase, lying);
  else if (board.phase === "settled" && board.last) show($("#said"), phase, ...explained(board.last));
  else if (board.last && board.phase !== "closed") show($("#said"), phase, ...before(outcome(board.last)));
  else show($("#said"), phase);
}

const named = (french, english, kind = "") =>
  el("p", { class: `named ${kind}` }, fr(french), english === french ? "" : en(english));

// Voids whose reason a person has given, in his own words.
const SPOKEN = ["staff", "interrupted"];

function explained(last) {
  const { void_, code, french, english } = outcome(last);
  if (void_) return [named(french, english, "void"), SPOKEN.includes(code) ? el("p", { class: "reason" }, fr(last.reason)) : ""];
  const row = [...board.rows, ...board.extra_rows].find(({ spot }) => spot === code.replace(":", "_"));
  return row?.gain ? [named(`${decimal(row.gain)} pour\u00a01`, `pays ${row.gain} to 1`)] : [];
}

function before({ void_, french, form, colour }) {
  return [
    el("p", { class: "before" }, fr("Dernier résultat"), " ", en("Last result")),
    el("p", { class: "named small" }, shape(form, colour), el("span", {}, fr(void_ ? "Coup nul" : french))),
  ];
}

function drawCore() {
  const core = $("#core");
  const ring = $("#ring");
  const result = board.phase === "settled" && !stale ? board.last : null;
  const dueMs = board.closes_at_ms ?? board.decision_due_ms;
  const nowMs = stream.now();
  // Dice and cards take the time that they take: how long the staff may take to record them is nothing to hurry for.
  const recording = board.awaited.some(({ recorded }) => recorded.length === 0);
  const counting = !stale && !recording && dueMs !== null && nowMs !== null;
  const seconds = counting ? Math.max(0, Math.ceil((dueMs - nowMs) / 1000)) : null;
  ring.className = `ring ${result ? `result ${outcome(result).colour}` : seconds !== null ? "counting" : "still"}`;
  ring.classList.toggle("turning", !stale && turning());
  ring.classList.toggle("backwards", CLOCKWISE[board.facts.direction] === false);
  const lit = result ? TICKS : (seconds ?? 0);
  ticks.forEach((mark, place) => mark.classList.toggle("lit", place < lit));
  if (result) show(core, ...resultCore(outcome(result)));
  else if (seconds !== null) show(core, el("b", { class: "seconds" }, String(seconds)), el("span", { class: "unit" }, seconds < 2 ? "seconde" : "secondes"));
  else if (turning()) show(core, el("b", { class: "number" }, CLOCKWISE[board.facts.direction] === false ? "↺" : "↻"));
  else show(core, shape(stale ? "triangle" : PHASES[board.phase][2]));
}

// A wheel that was launched has a direction; other games turn while something is being drawn.
const turning = () => board.phase === "drawing" || (board.phase === "locked" && board.facts.ring !== undefined);

function resultCore({ short, beside, form, colour }) {
  const size = short.length > 5 ? "words" : short.length > 3 ? "word" : "number";
  return [shape(form, colour), beside ? el("span", { class: "unit" }, beside) : "", el("b", { class: size }, short)];
}

// The paytable while stakes may be laid on it; the pot and its players once they play against one another.
function drawRight() {
  const playing = pot(board.carpet);
  show($("#carpet"), ...playing);
  $("#carpet").hidden = playing.length === 0;
  drawPaytable(board, won);
  if (playing.length) $("#pays").hidden = true;
}

function won(row) {
  if (board.phase !== "settled" || board.last?.result !== "settled") return false;
  const { code, also } = board.last.outcome;
  return code.split(":")[0] === row.spot || also.includes(row.spot);
}

function drawHistory() {
  const chips = board.history.map((past) => {
    const { french, english, short, beside, form, colour } = outcome(past);
    const title = `Coup ${past.coup} : ${french} / ${english}`;
    return el("li", { class: room(short), title },
      shape(form, colour), el("span", { class: "unseen" }, title),
      beside ? el("small", { "aria-hidden": "true" }, beside) : "", el("b", { "aria-hidden": "true" }, short));
  });
  show($("#history"), ...(chips.length ? chips : [el("li", { class: "none" }, fr("Aucun résultat encore"), " ", en("no result yet"))]));
}

function drawFoot() {
  say($("#minimum"), board.minimum ? money(board.minimum) : "–");
  say($("#paytable"), board.paytable || "–");
  $("#seats-box").hidden = board.seats.length === 0;
  const taken = board.seats.filter((seat) => seat.taken).length;
  show($("#seats"), `${taken} / ${board.seats.length} `, el("span", { class: "dots" }, ...board.seats.map(seatMark)));
  drawCommitment();
  const clockwise = CLOCKWISE[turning() ? board.facts.direction : (board.facts.next_direction ?? board.facts.direction)];
  $("#direction-box").hidden = clockwise === undefined;
  if (clockwise !== undefined) {
    show($("#direction"), el("b", { class: "arrow", "aria-hidden": "true" }, clockwise ? "↻" : "↺"), fr(clockwise ? "horaire" : "antihoraire"), " ", en(clockwise ? "clockwise" : "anticlockwise"));
  }
}

// A dot, or where players have chips of their own colour such a chip, with the number of the seat.
function seatMark({ seat, taken, staked }) {
  const kind = staked ? "staked" : taken ? "taken" : "free";
  const chips = board.carpet.chips.find((own) => own.seat === seat);
  if (!chips) return shape(taken ? "square" : "ring", kind);
  const title = `Poste ${seat} : ${chips.name.fr}, ${money(chips.value)} le jeton / ${chips.name.en}, ${money(chips.value)} a chip`;
  return el("span", { class: `chip ${kind} ${chips.name.code}`, title }, el("span", { class: "unseen" }, title), el("b", { "aria-hidden": "true" }, String(seat)));
}

// What the RNG is bound to; whoever wants to check a past coup follows the link.
function drawCommitment() {
  $("#commitment-box").hidden = !board.commitment;
  $("#proof").setAttribute("href", `/proof?${new URLSearchParams({ table })}`);
  const shortened = `${board.commitment.slice(0, 8)}…${board.commitment.slice(-8)}`;
  show($("#commitment"), el("span", { title: board.commitment }, `coup ${board.commitment_coup} `), el("code", { title: board.commitment }, shortened));
}

function draw() {
  if (board === null) return;
  document.body.dataset.phase = board.phase;
  drawHead();
  drawCall();
  drawSaid();
  drawCore();
  document.body.dataset.colour = board.phase === "settled" && board.last ? outcome(board.last).colour : "";
  drawRight();
  drawHistory();
  drawFoot();
}

function age(isStale) {
  const link = $("#link");
  if (isStale) show(link, shape("triangle"), " ", fr("données anciennes"), " ", en("stale data"));
  else show(link, shape("circle"), " ", fr("en direct"), " ", en("live"));
  if (isStale === stale) return;
  stale = isStale;
  document.body.classList.toggle("stale", stale);
  draw();
}

const stream = follow(`/events/tables/${encodeURIComponent(table)}`, { board: (next) => { board = next; draw(); } }, age);
setInterval(() => board && drawCore(), 200);
addEventListener("resize", fit);
document.fonts.ready.then(fit);
