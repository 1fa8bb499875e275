import type { JournalEntry, SentItem } from "@unroll/protocol";

const encoder = new TextEncoder();

/** What a line begins with. */
export interface LineOpening {
  readonly type: string;
  readonly now: number;
  /** Null: the line has none. */
  readonly ordinal: number | null;
}

/** The text is built around the payload's bytes, so that they come back as they were. */
export function toLine(opening: LineOpening, payload: string): Uint8Array {
  return encoder.encode(`${toOpening(opening)}${payload}}\n`);
}

function toOpening({ type, now, ordinal }: LineOpening): string {
  const numbered = ordinal === null ? "" : `"ordinal":${ordinal},`;
  return `{"timestamp":"${new Date(now).toISOString()}","type":"${type}",${numbered}"payload":`;
}

export function toItemLine({ bytes }: SentItem, opening: LineOpening): Uint8Array {
  const { flat, original } = toFlat(bytes);
  const rest = original === null ? "}\n" : `,"original":${JSON.stringify(original)}}\n`;
  return Buffer.concat([encoder.encode(toOpening(opening)), flat, encoder.encode(rest)]);
}

type EpochEntry = Extract<JournalEntry, { readonly type: "epoch" }>;

export function toEpochLine({ cause, isFinal, items }: EpochEntry, begun: LineOpening): Uint8Array {
  const flat = items.map(({ bytes }) => toFlat(bytes));
  const originals = Object.fromEntries(flat.flatMap(({ original }, n) => (original === null ? [] : [[n, original]])));
  const final = isFinal ? { is_final: true } : {};
  const facts = { message: cause, ...final, lengths: items.map(({ bytes }) => bytes.length), originals };
  const opening = `${toOpening(begun)}${JSON.stringify(facts).slice(0, -1)},"replacement_history":[`;
  const inner = flat.flatMap((each, n) => (n === 0 ? [each.flat] : [encoder.encode(","), each.flat]));
  return Buffer.concat([encoder.encode(opening), ...inner, encoder.encode("]}}\n")]);
}

interface FlatItem {
  readonly flat: Uint8Array;
  /** Null: it is the same. */
  readonly original: string | null;
}

const [newline, carriageReturn, space] = [0x0a, 0x0d, 0x20];

/** An item whose JSON a server wrote over several lines has to be kept beside what stands in one. */
function toFlat(bytes: Uint8Array): FlatItem {
  if (!bytes.includes(newline) && !bytes.includes(carriageReturn)) return { flat: bytes, original: null };
  const flat = bytes.map((byte) => (byte === newline || byte === carriageReturn ? space : byte));
  return { flat, original: new TextDecoder().decode(bytes) };
}
