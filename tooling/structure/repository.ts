import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSource, type SourceFile } from "./parse-source.ts";

/** The files that the checks look at. Names are relative to the root, with `/`. */
export interface Repository {
  readonly root: string;
  read(file: string): string;
  has(file: string): boolean;
  /** Sorted; what is installed or built is left out. */
  list(...patterns: readonly string[]): readonly string[];
  /** Parsed once, however many checks ask. */
  source(file: string): SourceFile;
}

export function openRepository(root: string): Repository {
  const parsed = new Map<string, SourceFile>();
  const read = (file: string): string => readFileSync(join(root, file), "utf8");
  return {
    root,
    read,
    has: (file) => existsSync(join(root, file)),
    list: (...patterns) =>
      globSync(patterns, { cwd: root, exclude: ["**/node_modules", "**/dist"] })
        .map((file) => file.replaceAll("\\", "/"))
        .toSorted(),
    source(file) {
      const known = parsed.get(file);
      if (known !== undefined) return known;
      const source = parseSource(file, read(file));
      parsed.set(file, source);
      return source;
    },
  };
}
