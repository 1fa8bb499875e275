import { replaceRange } from "../edit/text-edit.ts";
import type { Candidate, CandidateList, CandidateQuery } from "./candidate.ts";
import { changeText } from "./change-text.ts";
import type { Composer } from "./composer.ts";

/**
 * The word at the caret that may be completed, or null: the caller looks for candidates whenever it changes, and offers them by
 * `offerCandidates`.
 */
export function findCandidateQuery(composer: Composer): CandidateQuery | null {
  if (composer.mode.type !== "writing") return null;
  const before = composer.text.slice(0, composer.caret);
  const query = findFileQuery(before) ?? findCommandQuery(before);
  return query === null || query.start === composer.dismissedAt ? null : query;
}

function findFileQuery(before: string): CandidateQuery | null {
  const file = /(?:^|[\s(["'])@(?:"([^"\n]*)|([^\s@"]*))$/.exec(before);
  if (file === null) return null;
  const path = file[1] ?? file[2] ?? "";
  const sign = file[1] === undefined ? "@" : '@"';
  return { kind: "file", query: path, start: before.length - path.length - sign.length };
}

function findCommandQuery(before: string): CandidateQuery | null {
  const [, name = null, gap = "", argument = ""] = /^\/(\S*)([ \t]*)(.*)$/.exec(before) ?? [];
  if (name === null) return null;
  if (gap === "") return { kind: "command", query: name, start: 0 };
  return { kind: "argument", command: name, query: argument, start: before.length - argument.length };
}

/** Candidates for a query, the best first. Those for a word that is not at the caret any more are left out. */
export function offerCandidates(composer: Composer, query: CandidateQuery, candidates: readonly Candidate[]): Composer {
  const current = findCandidateQuery(composer);
  if (current === null || current.kind !== query.kind || current.query !== query.query || current.start !== query.start)
    return composer;
  if (candidates.length === 0) return { ...composer, popup: null };
  return { ...composer, popup: { query, candidates, selected: findSelected(composer.popup, query, candidates) } };
}

/** The candidate that was selected before, if the word is the same; else the best. */
function findSelected(
  before: CandidateList | null,
  { kind, query }: CandidateQuery,
  candidates: readonly Candidate[],
): number | null {
  const isOptional = (kind === "argument" && query === "") || candidates[0]?.isOptional === true;
  const best = isOptional ? null : 0;
  if (before === null || before.selected === null || before.query.query !== query) return best;
  const chosen = before.candidates[before.selected]?.value;
  const at = candidates.findIndex(({ value }) => value === chosen);
  return at < 0 ? best : at;
}

/** The popup as long as its word is at the caret; older candidates stay until the new ones come. */
export function keepPopup(composer: Composer): Composer {
  const query = findCandidateQuery(composer);
  const isGone = composer.dismissedAt !== null && composer.text[composer.dismissedAt] === undefined;
  const kept = isGone ? { ...composer, dismissedAt: null } : composer;
  if (composer.popup === null || (query !== null && query.start === composer.popup.query.start)) return kept;
  return { ...kept, popup: null };
}

export function moveSelection(composer: Composer, by: number): Composer {
  const { popup } = composer;
  if (popup === null) return composer;
  const count = popup.candidates.length;
  const from = popup.selected ?? (by > 0 ? -1 : 0);
  return { ...composer, popup: { ...popup, selected: (from + by + count) % count } };
}

/** Replaces the word with the chosen candidate, or with the first. */
export function acceptCandidate(composer: Composer): Composer {
  const { popup } = composer;
  const chosen = popup?.candidates[popup.selected ?? 0];
  if (popup === null || chosen === undefined) return composer;
  const { kind, start } = popup.query;
  const wasQuoted = kind === "file" && composer.text[start + 1] === '"';
  const isQuoted = wasQuoted || (kind === "file" && /\s/.test(chosen.value));
  const sign = kind === "argument" ? "" : composer.text.slice(start, start + 1) + (isQuoted ? '"' : "");
  // The candidates inside a folder come next, so its quote stays open.
  const after = /[/= ]$/.test(chosen.value) ? "" : isQuoted ? '" ' : " ";
  const closed = (wasQuoted ? /^"? ?/ : /^ ?/).exec(composer.text.slice(composer.caret))?.[0] ?? "";
  const end = composer.caret + (after === "" ? 0 : closed.length);
  return { ...changeText(composer, replaceRange(composer, { start, end }, sign + chosen.value + after)), popup: null };
}
