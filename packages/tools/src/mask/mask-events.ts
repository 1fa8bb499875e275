import { type ItemDeltaEvent, type MessageItem, type ThreadEvent, withAuthor } from "@unroll/protocol";
import type { MaskStream, SecretMask } from "@unroll/text";

/** Events on their way to the thread, masked. */
interface EventMask {
  /** The events that replace this one. */
  readonly write: (event: ThreadEvent) => readonly ThreadEvent[];
  /** Live text that was held back. */
  readonly end: () => readonly ThreadEvent[];
}

/**
 * Masks secrets in events. A piece of live text that may end within a secret waits for the next
 * piece, or for the end of its item.
 */
export function createEventMask(secrets: SecretMask): EventMask {
  const open = new Map<string, { readonly last: ItemDeltaEvent; readonly stream: MaskStream }>();

  function writeDelta(event: ItemDeltaEvent): readonly ThreadEvent[] {
    const stream = open.get(event.item_id)?.stream ?? secrets.stream();
    open.set(event.item_id, { last: event, stream });
    return toDelta(event, stream.write(event.delta));
  }

  function close(id: string): readonly ThreadEvent[] {
    const entry = open.get(id);
    open.delete(id);
    return entry ? toDelta(entry.last, entry.stream.end()) : [];
  }

  return {
    write(event) {
      if (secrets.isEmpty) return [event];
      if (event.type === "item.delta") return writeDelta(event);
      const rest = event.type === "item.completed" ? close(event.item.id) : [];
      return [...rest, maskStrings(event, secrets.mask)];
    },
    end: () => [...open.keys()].flatMap(close),
  };
}

function toDelta(event: ItemDeltaEvent, delta: string): readonly ThreadEvent[] {
  return delta === "" ? [] : [{ ...event, delta }];
}

const text = `<masked_secrets>
[masked-secret:NAME] in an output stands for a credential that you are not shown. The file or program itself has the value, so the stand-in is no fault: do not replace it.
In a patch, write the stand-in where the value stands: the value is put back when the patch is applied, in a file that holds it already and in no other.
In a command, in what you type, and in arguments of tools it is plain text and never becomes the value: let the program read the variable or the file instead.
</masked_secrets>`;

/** Tells the model what stand-ins are: to be appended when it has first been given one. */
export const maskNote: MessageItem = withAuthor(
  { type: "message", role: "developer", content: [{ type: "input_text", text }] },
  { type: "harness", fragment: "masked_secrets" },
);

/**
 * Copies data with every string in it masked, including names of fields; returns the same object if
 * nothing was masked.
 */
export function maskStrings<Value>(value: Value, mask: (text: string) => string): Value;
export function maskStrings(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const masked = list.map((each) => maskStrings(each, mask));
    return masked.some((each, index) => each !== list[index]) ? masked : list;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  const masked = entries.map(([name, each]) => [mask(name), maskStrings(each, mask)] as const);
  const isSame = masked.every(([name, each], index) => name === entries[index]?.[0] && each === entries[index][1]);
  return isSame ? value : Object.defineProperties(Object.fromEntries(masked), pickSymbols(value));
}

/** Metadata beside the data: who wrote a message, why a call cannot run. */
function pickSymbols(value: Readonly<Record<PropertyKey, unknown>>): PropertyDescriptorMap {
  const names = Object.getOwnPropertySymbols(value);
  return Object.fromEntries(names.map((name) => [name, { value: value[name] }]));
}

function isRecord(value: unknown): value is Record<PropertyKey, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
