/** A key that was written into a config file. */
export interface WrittenKey {
  readonly key: string;
  readonly file: string;
  /** About this key, in sentences. */
  readonly warnings: readonly string[];
  /** The value that counts now; null: the key is a table, or no file sets it. */
  readonly counted: {
    readonly path: string;
    readonly line: number;
    readonly toml: string;
    /** Whether other places set it, too, and do not count. */
    readonly isOver: boolean;
  } | null;
}

/** Where it was set, and where that value does not count, which one does. */
export function describeWrittenKey({ key, file, counted }: WrittenKey): string {
  if (counted === null) return `Set ${key} in ${file}.`;
  const { path, line, toml, isOver } = counted;
  if (path !== file) return `Set ${key} in ${file}, but in this folder ${path}:${line} overrides it with ${toml}.`;
  const set = `Set ${key} = ${toml} in ${file}:${line}`;
  return isOver ? `${set}. It overrides the values that unroll config explain ${key} shows.` : `${set}.`;
}
