/** The names that lead to a value, from the top of the document. */
export type KeyPath = readonly string[];

/** The dotted form, quoted where TOML would quote: `projects."/home/a".trust_level`. */
export function formatKey(path: KeyPath): string {
  return path.map(formatKeyPart).join(".");
}

/** One name of it. */
export function formatKeyPart(part: string): string {
  return /^[\w-]+$/.test(part) ? part : JSON.stringify(part);
}
