import { replaceRange } from "../edit/text-edit.ts";
import type { Candidate, CandidateQuery } from "./candidate.ts";
import { changeText } from "./change-text.ts";
import type { Composer } from "./composer.ts";

/**
 * The word at the caret that may be completed, or null: the caller looks for candidates whenever it changes, and offers them by
 * `offerCandidates`.
 */
export function findCandidateQuery(composer: Composer): CandidateQuery | null {
  if (composer.mode.type !== "writing") return null;
  const before = composer.text.slice(0, composer.caret);
  const command = /^\/(\S*)$/.exec(before);
  const file = /(?:^|[\s(["'])@(?:"([^"\n]*)|([^\s@"]*))$/.exec(before);
  const path = file?.[1] ?? file?.[2] ?? "";
  const sign = file?.[1] === undefined ? "@" : '@"';
  const query: CandidateQuery | null =
    command === null
      ? file === null
        ? null
        : { kind: "file", query: path, start: composer.caret - path.length - sign.length }
      : { kind: "command", query: command[1] ?? "", start: 0 };
  return query === null || query.start === composer.dismissedAt ? null : query;
}

/** Candidates for a query, the best first. Those for a word that is not at the caret any more are left out. */
export function offerCandidates(composer: Composer, query: CandidateQuery, candidates: readonly Candidate[]): Composer {
  const current = findCandidateQuery(composer);
  if (current === null || current.kind !== query.kind || current.query !== query.query || current.start !== query.start)
    return composer;
  if (candidates.length === 0) return { ...composer, popup: null };
  const chosen = composer.popup?.candidates[composer.popup.selected]?.value;
  const isSame = composer.popup?.query.query === query.query;
  const selected = isSame
    ? Math.max(
        0,
        candidates.findIndex((each) => each.value === chosen),
      )
    : 0;
  return { ...composer, popup: { query, candidates, selected } };
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
  return { ...composer, popup: { ...popup, selected: (popup.selected + by + count) % count } };
}

/** Replaces the word with the chosen candidate. */
export function acceptCandidate(composer: Composer): Composer {
  const { popup } = composer;
  const chosen = popup?.candidates[popup.selected];
  if (popup === null || chosen === undefined) return composer;
  const { start } = popup.query;
  const wasQuoted = composer.text[start + 1] === '"';
  const isQuoted = wasQuoted || (popup.query.kind === "file" && /\s/.test(chosen.value));
  const sign = composer.text.slice(start, start + 1) + (isQuoted ? '"' : "");
  // The candidates inside a folder come next, so its quote stays open.
  const after = chosen.value.endsWith("/") ? "" : isQuoted ? '" ' : " ";
  const closed = (wasQuoted ? /^"? ?/ : /^ ?/).exec(composer.text.slice(composer.caret))?.[0] ?? "";
  const end = composer.caret + (after === "" ? 0 : closed.length);
  return { ...changeText(composer, replaceRange(composer, { start, end }, sign + chosen.value + after)), popup: null };
}
