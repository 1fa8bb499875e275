/** The one bug of `examples/sample-project`, and its repair. */
export const sampleBug = {
  file: "src/split.js",
  wrong: "  const share = Math.round(cents / people.length);",
  right: "  const share = Math.floor(cents / people.length);",
  explanation: `\`splitEvenly\` rounds the share to the nearest cent. Rounded up, the shares add up to more than the bill and no cent is left over to hand out. Rounded down, the cents left over are handed out one by one, as meant.`,
} as const;

/**
 * The patch that repairs the bug in the text of its file, with a line of context on both sides. Null: the text does
 * not hold the bug.
 */
export function repairPatch(text: string): string | null {
  const lines = text.split("\n");
  const at = lines.indexOf(sampleBug.wrong);
  if (at === -1) return null;
  const before = lines.slice(Math.max(0, at - 1), at).map((line) => ` ${line}`);
  const after = lines.slice(at + 1, at + 2).map((line) => ` ${line}`);
  return [
    "*** Begin Patch",
    `*** Update File: ${sampleBug.file}`,
    "@@",
    ...before,
    `-${sampleBug.wrong}`,
    `+${sampleBug.right}`,
    ...after,
    "*** End Patch",
    "",
  ].join("\n");
}
