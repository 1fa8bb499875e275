/** A phrase that we do not write, as `idioms.json` holds it. */
export interface Idiom {
  /** A regular expression over one sentence, in which code and addresses are blanked out. */
  readonly pattern: string;
  /** The advice: the words to write instead. */
  readonly instead: string;
  /** Whether capital letters count; without it they do not. */
  readonly exact?: boolean;
  /** Where it counts; everywhere where this is absent. */
  readonly in?: readonly ProseKind[];
}

/** A page, a comment, the name of a test, a text for users. */
export type ProseKind = "page" | "comment" | "test" | "text";

/** Lists of our own, written by us and reviewed: their shape is not checked again. */
export function parseIdioms(text: string): readonly Idiom[] {
  return JSON.parse(text) as readonly Idiom[];
}

export function parsePatterns(text: string): readonly string[] {
  return Object.values(JSON.parse(text) as Readonly<Record<string, readonly string[]>>).flat();
}
