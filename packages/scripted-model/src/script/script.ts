import type { Checks } from "../check/checks.ts";
import type { Turn } from "./turn.ts";

/** The server's answers, request by request. */
export interface Script {
  readonly turns: readonly ScriptTurn[];
  /** After the last turn. Absent or `fail`: a further request is a violation. */
  readonly atEnd?: "fail" | "repeat-last";
  /** Answers to `/responses/compact`, in order. After the last: one made-up compaction item. */
  readonly compactions?: readonly ScriptTurn[];
  /** Ids listed by `/models`. */
  readonly models?: readonly string[];
  readonly checks?: Checks;
  /** How the server finds the cache of a thread: a request without that header has none of it cached. Absent: it always does. */
  readonly affinity?: Affinity;
}

/** `repeat`: how many requests the turn answers; 1 when absent. */
export type ScriptTurn = Turn & { readonly repeat?: number };

/** The turns one by one: repeated ones as often as they say, the last one for ever if the script says so. */
export function* playTurns(turns: readonly ScriptTurn[], atEnd: Script["atEnd"]): Generator<Turn, undefined> {
  for (const turn of turns) {
    for (let count = turn.repeat ?? 1; count > 0; count -= 1) yield turn;
  }
  const last = turns.at(-1);
  while (last && atEnd === "repeat-last") yield last;
}

/** Which header a server finds a thread's cache by: `hyphen`, as OpenAI's (`session-id`), or `underscore`, as older proxies (`session_id`). */
export type Affinity = "hyphen" | "underscore";
