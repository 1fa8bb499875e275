import { encodeSentItem, type ItemAuthor, type JournalEntry, type SentItem } from "@unroll/protocol";

const encoder = new TextEncoder();

/** The fields at the start of a line. */
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

/** `more`: fields in front of the payload, which is last so that its bytes can be sliced out. */
function toOpening({ type, now, ordinal }: LineOpening, more: object = {}): string {
  const fields = JSON.stringify({ ...(ordinal === null ? {} : { ordinal }), ...more }).slice(1, -1);
  const between = fields === "" ? "" : `${fields},`;
  return `{"timestamp":"${new Date(now).toISOString()}","type":"${type}",${between}"payload":`;
}

/** The item as it is, and behind it how it was sent where that is another thing. */
export function toItemLine(sent: SentItem, opening: LineOpening): Uint8Array {
  const { flat, original } = toFlat(toItemBytes(sent));
  const { author, ...sending } = toSending(sent);
  const text = JSON.stringify({ ...(original === null ? {} : { original }), ...sending }).slice(1);
  const begun = toOpening(opening, author && { author });
  return Buffer.concat([encoder.encode(begun), flat, encoder.encode(text === "}" ? "}\n" : `,${text}\n`)]);
}

/** How an item was sent, in the fields beside the item. */
function toSending(sent: SentItem): { readonly author?: ItemAuthor } {
  const isTold = sent.item.type === "message" && sent.item.role !== "assistant";
  if (sent.lowered === undefined && sent.maker === undefined && !isTold) return {}; // nearly all: their texts are not made for it
  const { item: _, ...sending } = encodeSentItem(sent);
  return sending;
}

/** The original item if it was sent in another form: other programs read the original. */
function toItemBytes(sent: SentItem): Uint8Array {
  return sent.lowered === undefined ? sent.bytes : encoder.encode(encodeSentItem(sent).item);
}

type EpochEntry = Extract<JournalEntry, { readonly type: "epoch" }>;

export function toEpochLine({ cause, isFinal, items }: EpochEntry, begun: LineOpening): Uint8Array {
  const flat = items.map((item) => toFlat(toItemBytes(item)));
  const originals = Object.fromEntries(flat.flatMap(({ original }, n) => (original === null ? [] : [[n, original]])));
  const sendings = items
    .map((item, n) => [n, toSending(item)] as const)
    .filter(([, told]) => Object.keys(told).length > 0);
  const told = sendings.length === 0 ? {} : { sendings: Object.fromEntries(sendings) };
  const final = isFinal ? { is_final: true } : {};
  const facts = { message: cause, ...final, lengths: flat.map((each) => each.flat.length), originals, ...told };
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

/** An item whose JSON has line breaks is saved on one line, with the original text beside it. */
function toFlat(bytes: Uint8Array): FlatItem {
  if (!bytes.includes(newline) && !bytes.includes(carriageReturn)) return { flat: bytes, original: null };
  const flat = bytes.map((byte) => (byte === newline || byte === carriageReturn ? space : byte));
  return { flat, original: new TextDecoder().decode(bytes) };
}
