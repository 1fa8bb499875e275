import { splitInvisible } from "./split-invisible.ts";

/**
 * A value of fewer characters is not taken for a secret, here or anywhere in unroll. Credentials that a service issues
 * are far longer. Shorter values (`true`, `v1`, `en-US`, `5432`, a short password in a test) also occur in ordinary
 * text: hiding each of them would spoil messages and reveal where they occur.
 */
export const shortestSecret = 8;

/**
 * The text with `[secret]` for every place of a secret; where secrets overlap, one for all of them. Secrets are found as
 * they are written, case and all, also with characters between theirs that show nothing, and not in any other encoding. Those under `shortestSecret` characters are let be. Cut
 * a text after this, never before: half a secret would not be found.
 */
export function redactSecrets(text: string, secrets: Iterable<string>): string {
  const { bare, gaps } = splitInvisible(text);
  const places = [...new Set(secrets)].filter((secret) => secret.length >= shortestSecret).flatMap(placesIn(bare));
  if (places.length === 0) return text;
  /** Where a place of the bare text is in the whole. */
  const toWhole = (at: number): number =>
    gaps.reduce((whole, gap) => (gap.at < at ? whole + gap.text.length : whole), at);
  let redacted = "";
  let end = 0;
  for (const place of places.toSorted((left, right) => left.start - right.start)) {
    const [start, stop] = [toWhole(place.start), toWhole(place.end)];
    if (start >= end) redacted += `${text.slice(end, start)}[secret]`;
    end = Math.max(end, stop);
  }
  return redacted + text.slice(end);
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Also those that overlap with themselves: `abab` in `ababab` is there twice. */
function placesIn(text: string): (secret: string) => readonly Place[] {
  return (secret) => {
    const places: Place[] = [];
    for (let start = text.indexOf(secret); start >= 0; start = text.indexOf(secret, start + 1))
      places.push({ start, end: start + secret.length });
    return places;
  };
}
