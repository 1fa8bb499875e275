/** The contents of a dump, by tags; a tag may come several times. */
export type DumpFields = ReadonlyMap<string, readonly string[]>;

/**
 * The dumps in the output of a run, in their order, by the lines that each stands between. A terminal writes a carriage
 * return before every line feed: where the first line has one, they are taken out of all.
 */
export function readDumps(output: string, nonce: string): readonly DumpFields[] {
  const isOfTerminal = output.includes(`${nonce}:begin\r\n`);
  const text = isOfTerminal ? output.replaceAll("\r\n", "\n") : output;
  const parts = text.split(`${nonce}:begin\n`).slice(1);
  return parts.flatMap((part) => {
    const [dump, rest] = part.split(`${nonce}:end\n`);
    return dump === undefined || rest === undefined ? [] : [toFields(dump)];
  });
}

function toFields(dump: string): DumpFields {
  const words = dump.split("\0");
  const fields = new Map<string, string[]>();
  for (let index = 0; index + 1 < words.length; index += 2) {
    const [tag = "", value = ""] = words.slice(index, index + 2);
    fields.set(tag, [...(fields.get(tag) ?? []), value]);
  }
  return fields;
}

/** The one value of a tag, without the line break at its end; null where the dump does not have it. */
export function readField(fields: DumpFields, tag: string): string | null {
  return fields.get(tag)?.[0]?.replace(/\n$/, "") ?? null;
}

export function readLines(fields: DumpFields, tag: string): readonly string[] {
  return (readField(fields, tag) ?? "").split("\n").filter((line) => line !== "");
}
