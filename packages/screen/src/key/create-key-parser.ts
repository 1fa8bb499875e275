import { splitGraphemes } from "../width/grapheme.ts";
import type { InputEvent } from "./input-event.ts";
import { nameControl } from "./names.ts";
import { type Outlook, readEscape } from "./read-escape.ts";

/**
 * Parses a terminal's bytes, cut at any point, into keys, whole pastes and replies. No input can break it: invalid UTF-8 and
 * unknown sequences are dropped.
 */
export interface KeyParser {
  readonly feed: (bytes: Uint8Array) => InputEvent[];
  /** Whether the last bytes held several keys: they came from a paste or a program, or were typed while nobody read. */
  readonly isBurst: () => boolean;
  /** How long to wait for more bytes before `flush`, in ms: a lone escape may be the start of a sequence. Null: nothing is held back. */
  readonly waitMs: () => number | null;
  /** Nothing came for so long: what was held back is taken as it is. */
  readonly flush: () => InputEvent[];
}

const escapeWaitMs = 30;
/** A paste whose end was lost would swallow all keys. */
const pasteWaitMs = 5_000;
/** Text that comes this soon behind Enter was not typed: Enter is a line end of a paste whose terminal does not mark it. */
const enterWaitMs = 3;
/** Between two reads of such a paste. */
const linesWaitMs = 50;

/** Takes the bytes of a terminal as they come, cut anywhere, and gives keys, pastes and the terminal's answers. */
export function createKeyParser(): KeyParser {
  const decoder = new TextDecoder();
  const state: ParserState = { held: "", paste: null, burst: { type: "none" }, keys: 0 };
  return {
    feed(bytes) {
      if (state.burst.type === "none") state.keys = 0;
      return readInput(state, decoder.decode(bytes, { stream: true }), "more may come");
    },
    isBurst: () => state.keys > 1,
    waitMs: () => toWait(state),
    flush() {
      if (state.paste === null)
        return [...endBurst(state), ...readInput(state, decoder.decode(), "nothing more comes")];
      const paste = endPaste(state, state.held);
      state.held = "";
      return [paste];
    },
  };
}

interface ParserState {
  /** The start of a sequence whose end did not come yet. */
  held: string;
  /** The pieces of the paste that is coming, or null. */
  paste: string[] | null;
  burst: Burst;
  /** The keys in the last bytes, and those before that are held back. */
  keys: number;
}

type Burst =
  | { readonly type: "none" }
  /** Enter came, perhaps with more of it and Tab, and is held back until it is known that no text follows at once. */
  | { readonly type: "entered"; readonly pieces: string[] }
  /** The pieces of several lines that come without the marks of a paste. */
  | { readonly type: "lines"; readonly pieces: string[] };

function toWait({ paste, held, burst }: ParserState): number | null {
  if (paste !== null) return pasteWaitMs;
  if (held !== "") return escapeWaitMs;
  const waits = { none: null, entered: enterWaitMs, lines: linesWaitMs };
  return waits[burst.type];
}

/** Typed text that comes at once and is longer than this was not typed: it is one paste, also where the terminal does not say so. */
const longestTyped = 256;

function readInput(state: ParserState, text: string, outlook: Outlook): InputEvent[] {
  const events: InputEvent[] = [];
  let rest = state.held + text;
  state.held = "";
  while (rest !== "") {
    if (state.paste !== null) rest = readPaste(state, rest, events);
    else if (rest.startsWith("\u001b")) {
      events.push(...endBurst(state));
      const escape = readEscape(rest, outlook);
      if (escape === null) {
        state.held = rest;
        break;
      }
      if (escape.event === "paste") state.paste = [];
      else if (escape.event !== null) add(state, events, escape.event);
      rest = rest.slice(escape.length);
    } else rest = readTyped(state, rest, events);
  }
  return events;
}

function add(state: ParserState, events: InputEvent[], event: InputEvent): void {
  if (event.type === "key") state.keys += 1;
  events.push(event);
}

const pasteEnd = "\u001b[201~";

/** Takes what belongs to the paste; gives back what is behind its end. */
function readPaste(state: ParserState, text: string, events: InputEvent[]): string {
  const end = text.indexOf(pasteEnd);
  if (end >= 0) {
    events.push(endPaste(state, text.slice(0, end)));
    return text.slice(end + pasteEnd.length);
  }
  const kept = heldBack(text);
  state.paste?.push(text.slice(0, text.length - kept));
  state.held = text.slice(text.length - kept);
  return "";
}

/** How many of the last characters may be the start of the paste's end. */
function heldBack(text: string): number {
  for (let length = Math.min(pasteEnd.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(pasteEnd.slice(0, length))) return length;
  }
  return 0;
}

function endPaste(state: ParserState, last: string): InputEvent {
  const text = [...(state.paste ?? []), last].join("");
  state.paste = null;
  return { type: "paste", text: toLines(text) };
}

/** Terminals send `\r` for the end of a line, as if it were typed. */
function toLines(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

/** A key that writes no text, as Enter and Tab may in a paste. */
const otherControl = /[^\P{Cc}\t\n\r\u0080-\u009f]/u;

/** Reads what the terminal sends as it is; gives back the rest. */
function readTyped(state: ParserState, text: string, events: InputEvent[]): string {
  const end = text.search(otherControl);
  if (end === 0) {
    events.push(...endBurst(state));
    add(state, events, toControlKey(text));
    return text.slice(1);
  }
  const run = end < 0 ? text : text.slice(0, end);
  // Invalid UTF-8 and the control characters of Latin-1 were not typed.
  readRun(state, run.replaceAll(/[\u0080-\u009f\ufffd]/g, ""), events);
  return end < 0 ? "" : text.slice(end);
}

/** Reads text, tabs and line ends that came at once. Several lines are a paste, whatever the terminal says. */
function readRun(state: ParserState, run: string, events: InputEvent[]): void {
  const { burst } = state;
  if (burst.type === "lines") burst.pieces.push(run);
  else if (burst.type === "entered" && /\P{Cc}/u.test(run))
    state.burst = { type: "lines", pieces: [...burst.pieces, run] };
  else if (/\r[^]*\P{Cc}/u.test(run)) state.burst = { type: "lines", pieces: [run] };
  else for (const [piece] of run.matchAll(/\P{Cc}+|\p{Cc}/gu)) readPiece(state, piece, events);
}

function readPiece(state: ParserState, piece: string, events: InputEvent[]): void {
  const { burst } = state;
  if (piece === "\r" || burst.type === "entered") {
    state.burst = { type: "entered", pieces: [...(burst.type === "entered" ? burst.pieces : []), piece] };
    state.keys += 1;
  } else if (/\p{Cc}/u.test(piece)) add(state, events, toControlKey(piece));
  else if (piece.length > longestTyped) events.push({ type: "paste", text: piece });
  else
    for (const typed of splitGraphemes(piece))
      add(state, events, { type: "key", name: typed === " " ? "space" : typed, text: typed });
}

function toControlKey(text: string): InputEvent {
  return { type: "key", name: nameControl(text.charCodeAt(0)), text: null };
}

/** Ends the burst, and gives its events. */
function endBurst(state: ParserState): InputEvent[] {
  const { burst } = state;
  state.burst = { type: "none" };
  switch (burst.type) {
    case "none":
      return [];
    case "entered":
      return burst.pieces.map(toControlKey);
    case "lines":
      return [{ type: "paste", text: toLines(burst.pieces.join("")) }];
  }
}
