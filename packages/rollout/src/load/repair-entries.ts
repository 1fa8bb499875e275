import {
  isFields,
  isKnownItem,
  isToolCall,
  isToolOutput,
  type JournalEntry,
  type JsonFields,
  knownItemTypes,
  type MessageItem,
  parseFields,
  type SentItem,
  type ToolCallItem,
  toToolOutput,
  toValidArguments,
} from "@unroll/protocol";

/** Entries from which a thread can be resumed. */
export interface RepairedEntries {
  readonly entries: readonly JournalEntry[];
  /** Entries of `entries` that the file does not have yet: a resuming process writes them. */
  readonly added: readonly JournalEntry[];
  /** A sentence each. */
  readonly repairs: readonly string[];
}

const interruptedOutput =
  "The program ended before this call had a result. It may have run in part: look at what it did before you do it again.";
const encoder = new TextEncoder();

/**
 * Gives every call exactly one output and a name that servers accept. An output without a call is left out, and so are a
 * call whose id was used before and a call or a message that is damaged. A call without an output gets one, unless one waits
 * for your answer. Every item is JSON as it is sent. A turn that was cut off stays open: the resuming process ends it.
 */
export function repairEntries(found: readonly JournalEntry[]): RepairedEntries {
  const mender = createMender();
  const entries = found.flatMap((entry) => mender.mend(entry));
  const open = isCutOff(entries) ? [] : mender.openCalls();
  const added = open.map(toInterruptedEntry);
  const given = open.map(({ id }) => `A call had no output and was given one that says so (call ${id}).`);
  return { entries: [...entries, ...added], added, repairs: [...mender.listRepairs(), ...given] };
}

/** Takes the entries of a thread in their order. */
export interface Mender {
  /** Nothing, or one entry; items that may stay are the same objects. */
  mend(entry: JournalEntry): readonly JournalEntry[];
  /** None while one waits for your answer: the resuming process gives all their outputs, in call order. */
  openCalls(): readonly OpenCall[];
  listRepairs(): readonly string[];
}

/** A call without an output. */
export interface OpenCall {
  readonly id: string;
  readonly call: ToolCallItem;
  /** As it was sent. */
  readonly sent: SentItem;
}

/** `readsArguments`: those of calls become JSON that servers can read; they are others then than were sent. */
export function createMender({ readsArguments = false }: { readonly readsArguments?: boolean } = {}): Mender {
  const open = new Map<string, OpenCall>();
  const seen = new Set<string>();
  const repairs: string[] = [];
  /** Ids of calls that wait for an answer: the resuming process asks again. */
  const asked = new Set<string>();
  /** The bytes that were sent last; null: none yet. */
  let before: Uint8Array | null = null;

  function mendItem(found: SentItem): readonly SentItem[] {
    const stored = mendKind(found, repairs);
    const { item } = stored;
    const sent = mendSending(stored, before);
    if (sent === null || isDamaged(item)) {
      repairs.push(`${describeItem(item)} was damaged and left out.`);
      return [];
    }
    if (sent !== stored)
      repairs.push(`${describeItem(item)} was damaged in the form that was sent: it is sent as it is.`);
    const mended = mendPair(sent);
    before = mended.findLast(({ bytes }) => bytes.length > 0)?.bytes ?? before;
    return mended;
  }

  function mendPair(sent: SentItem): readonly SentItem[] {
    const { item } = sent;
    if (isToolCall(item)) {
      if (seen.has(item.call_id)) {
        repairs.push(`A second call with the id ${item.call_id} was left out.`);
        return [];
      }
      seen.add(item.call_id);
      open.set(item.call_id, { id: item.call_id, call: item, sent });
      const named = mendName(sent, item, repairs);
      return [readsArguments ? mendArguments(named, repairs) : named];
    }
    if (!isToolOutput(item) || open.delete(item.call_id)) return [sent];
    repairs.push(`An output without its call was left out (call ${item.call_id}).`);
    return [];
  }

  function mend(entry: JournalEntry): readonly JournalEntry[] {
    if (entry.type === "item") return mendItem(entry.item).map((item): JournalEntry => ({ type: "item", item }));
    if (entry.type === "call.asked") asked.add(entry.callId);
    if (entry.type === "call.started") asked.delete(entry.callId);
    if (entry.type !== "epoch") return [entry];
    // the server gets nothing from before it, and its calls may be in it again
    open.clear();
    seen.clear();
    before = null;
    return [{ ...entry, items: entry.items.flatMap(mendItem) }];
  }

  return {
    mend,
    openCalls: () => ([...open.keys()].some((id) => asked.has(id)) ? [] : [...open.values()]),
    listRepairs: () => repairs,
  };
}

/** A type or a role of one wrong character would spoil every request: no server knows it. */
function mendKind(sent: SentItem, repairs: string[]): SentItem {
  const { item } = sent;
  const fields = item.type === "unknown" ? parseFields(item.json) : null;
  if (fields === null) return sent;
  for (const [key, names] of kinds) {
    const found = fields[key];
    if (typeof found !== "string") continue;
    const name = names.find((known) => differsInOne(known, found));
    const mended = { ...fields, [key]: name };
    if (!isKnownItem(mended)) continue;
    repairs.push(`The ${key} of an item was damaged (${found}): it is ${name} now.`);
    return {
      ...sent,
      item: mended,
      ...(sent.lowered === undefined && { bytes: encoder.encode(JSON.stringify(mended)) }),
    };
  }
  return sent;
}

const roles: readonly string[] = ["user", "assistant", "developer", "system"] satisfies readonly MessageItem["role"][];
const kinds: readonly (readonly ["type" | "role", readonly string[]])[] = [
  ["type", knownItemTypes],
  ["role", roles],
];

function differsInOne(known: string, found: string): boolean {
  if (known.length !== found.length) return false;
  let differences = 0;
  for (let at = 0; at < known.length; at += 1) if (known[at] !== found[at]) differences += 1;
  return differences === 1;
}

const callTypes: readonly string[] = [
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
];

/** A call or an output without what belongs to it, as an id, or a message without a role. Other items that we do not know are sent as they are. */
function isDamaged(item: SentItem["item"]): boolean {
  if (item.type !== "unknown") return false;
  if (item.itemType !== "message") return callTypes.includes(item.itemType);
  const role = parseFields(item.json)?.["role"];
  return typeof role !== "string" || !roles.includes(role); // its content may have parts of a later version
}

function describeItem(item: SentItem["item"]): string {
  if (isToolCall(item)) return `A call (${item.call_id})`;
  if (isToolOutput(item)) return `The output of a call (${item.call_id})`;
  return item.type === "message"
    ? `A message of the ${item.role}`
    : `An item (${item.type === "unknown" ? item.itemType : item.type})`;
}

/**
 * An item whose lowered form makes no JSON behind the bytes `before` it, or names another call, spoils every request. A
 * message is sent as it is then. Null: the item has no form that the server takes.
 */
function mendSending(sent: SentItem, before: Uint8Array | null): SentItem | null {
  const { item, bytes, lowered, ...rest } = sent;
  if (lowered === undefined || bytes.length === 0) return sent;
  const text = new TextDecoder().decode(bytes);
  const first = lowered.joins ? continueMessage(text, before) : parseFirst(`[${text}]`);
  const isOwn = !(isToolCall(item) || isToolOutput(item)) || first?.["call_id"] === item.call_id;
  if (first !== null && isOwn) return sent;
  return item.type === "message" ? { ...rest, item, bytes: encoder.encode(JSON.stringify(item)) } : null;
}

/** It replaces the end of a message: see `LoweredItem.joins`. */
function continueMessage(text: string, before: Uint8Array | null): JsonFields | null {
  const isMessage = before !== null && new TextDecoder().decode(before.slice(-messageEnd.length)) === messageEnd;
  return isMessage ? parseFirst(`[{"content":[0${text}]`) : null;
}

const messageEnd = "]}";

/** The first of a list of objects; null: it is no such list. */
function parseFirst(json: string): JsonFields | null {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) && list.every(isFields) ? (list[0] ?? null) : null;
  } catch {
    return null;
  }
}

/** One that a server would refuse with every request from here on. */
function mendName(sent: SentItem, call: ToolCallItem, repairs: string[]): SentItem {
  if (/^[\w.-]+$/.test(call.name)) return sent;
  const name = call.name.replaceAll(/[^\w.-]/g, "_") || "unnamed";
  repairs.push(`A call's name was not valid and is ${name} now (call ${call.call_id}).`);
  const item = { ...call, name };
  const bytes = (value: object): Uint8Array => encoder.encode(JSON.stringify(value));
  return sent.lowered === undefined
    ? { item, bytes: bytes(item) }
    : { ...sent, item, bytes: bytes({ ...readSent(sent), name }) };
}

/** Some servers read the arguments of earlier calls, and refuse every request where one was cut off. */
function mendArguments(sent: SentItem, repairs: string[]): SentItem {
  const { item } = sent;
  if (item.type !== "function_call" || sent.lowered !== undefined) return sent;
  const valid = toValidArguments(item.arguments);
  if (valid === item.arguments) return sent;
  repairs.push(`A call's arguments were not valid JSON: they are in an object now (call ${item.call_id}).`);
  const mended = { ...item, arguments: valid };
  return { ...sent, item: mended, bytes: encoder.encode(JSON.stringify({ ...readSent(sent), arguments: valid })) };
}

/** A call as a server was sent it. */
function readSent({ bytes }: SentItem): object {
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return typeof value === "object" && value !== null ? value : {};
}

/** The resuming process ends such a turn with its calls, and reports it to the model. */
function isCutOff(entries: readonly JournalEntry[]): boolean {
  return entries.findLast(({ type }) => type === "turn.started" || type === "turn.ended")?.type === "turn.started";
}

/** For a call that has no output; of the kind as which the call was sent. */
export function toInterruptedEntry({ call, sent }: OpenCall): JournalEntry {
  const item = toToolOutput(call, interruptedOutput);
  const isFunction = sent.lowered !== undefined && call.type === "custom_tool_call";
  const wire = isFunction ? { ...item, type: "function_call_output" } : item;
  const lowered = isFunction ? { lowered: { joins: false, ours: 0 } } : {};
  return { type: "item", item: { item, bytes: encoder.encode(JSON.stringify(wire)), ...lowered } };
}
