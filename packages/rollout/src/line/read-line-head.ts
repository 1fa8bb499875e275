/** What a line is, as far as its first bytes say. */
export interface LineHead {
  /** Of the line: `response_item`, `event_msg`, … */
  readonly type: string;
  /** Of its payload, where that begins with it; else null. */
  readonly kind: string | null;
}

/** Our lines, and those of the Codex CLI. */
const head =
  /^\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"([a-z_]+)",(?:"ordinal":\d+,)?(?:"author":\{[^{}]*\},)?"payload":\{(?:"type":"([a-z_.]+)")?/;
const longestHead = 384;

/** Null: it begins otherwise. Costs the same however long the line is. */
export function readLineHead(line: Uint8Array): LineHead | null {
  const start = Buffer.from(line.buffer, line.byteOffset, Math.min(line.length, longestHead)).toString("latin1");
  const [, type, kind = null] = head.exec(start) ?? [];
  return type === undefined ? null : { type, kind };
}

/** Whether a line says by itself what is sent from here on: one that only tells a summary does not. */
export function beginsEpoch(line: Uint8Array): boolean {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.length);
  return readLineHead(line)?.type === "compacted" && bytes.includes('"replacement_history":[');
}
