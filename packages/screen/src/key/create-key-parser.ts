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
  /** How long to wait for more bytes before `flush`, in ms: a lone escape may be the start of a sequence. Null: nothing is held back. */
  readonly waitMs: () => number | null;
  /** Nothing came for so long: what was held back is taken as it is. */
  readonly flush: () => InputEvent[];
}

const escapeWaitMs = 30;
/** A paste whose end was lost would swallow all keys. */
const pasteWaitMs = 5_000;

/** Takes the bytes of a terminal as they come, cut anywhere, and gives keys, pastes and the terminal's answers. */
export function createKeyParser(): KeyParser {
  const decoder = new TextDecoder();
  const state: ParserState = { held: "", paste: null };
  return {
    feed: (bytes) => readInput(state, decoder.decode(bytes, { stream: true }), "more may come"),
    waitMs: () => (state.paste !== null ? pasteWaitMs : state.held === "" ? null : escapeWaitMs),
    flush() {
      if (state.paste === null) return readInput(state, decoder.decode(), "nothing more comes");
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
      const escape = readEscape(rest, outlook);
      if (escape === null) {
        state.held = rest;
        break;
      }
      if (escape.event === "paste") state.paste = [];
      else if (escape.event !== null) events.push(escape.event);
      rest = rest.slice(escape.length);
    } else rest = readTyped(rest, events);
  }
  return events;
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

function readTyped(text: string, events: InputEvent[]): string {
  const code = text.charCodeAt(0);
  if (code < 32 || code === 127) {
    events.push({ type: "key", name: nameControl(code), text: null });
    return text.slice(1);
  }
  const end = text.search(/[^\P{Cc}\u0080-\u009f]/u);
  // Invalid UTF-8 and the control characters of Latin-1 were not typed.
  const run = (end < 0 ? text : text.slice(0, end)).replaceAll(/[\u0080-\u009f\ufffd]/g, "");
  if (run.length > longestTyped) events.push({ type: "paste", text: run });
  else
    for (const typed of splitGraphemes(run))
      events.push({ type: "key", name: typed === " " ? "space" : typed, text: typed });
  return end < 0 ? "" : text.slice(end);
}
