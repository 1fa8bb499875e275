/** Records that a thread was started or resumed. */
export interface ThreadUse {
  /** Path of its file, below `sessions`. */
  readonly file: string;
  readonly threadId: string;
  /** The folder in which it was started. */
  readonly cwd: string | null;
}

/** In their order; what is torn or of another version is left out. */
export function parseUses(text: string): readonly ThreadUse[] {
  return text.split("\n").flatMap((line) => {
    if (!line.startsWith('{"v":1,"file":"')) return [];
    try {
      return [JSON.parse(line) as ThreadUse]; // a whole line of this version is one that we wrote
    } catch {
      return [];
    }
  });
}
