import type { ContentPart, ItemForm, LoweredItem, ResponseItem, SentItem } from "@unroll/protocol";
import { readKinds, createTurnOrder, type TurnOrder } from "./turn-order.ts";
import { lowerItem, toKind } from "./wire/lower-item.ts";
import { hasOneSystemText, isOfDeveloper, toAnswerWire } from "./wire/lower-message.ts";
import { encodeItem, type MadeItem, type NewId, toMessageWire, type WireItem } from "./wire/wire-item.ts";

/** An item to be sent. */
export interface UnsentItem extends MadeItem {
  /** Its bytes when it was sent before; null: it was not. */
  readonly bytes: Uint8Array | null;
}

/** Writes the items of one epoch in the form that their server takes, each once. */
export interface ItemWriter {
  /** As many as it is given, in their order. */
  write(items: readonly UnsentItem[]): readonly SentItem[];
  /** Everything written so far is in a request now, and never changes. */
  seal(): void;
}

/** In the name of the assistant, between two messages of the user. */
const ownLine = "Understood.";
const encoder = new TextEncoder();
const nothing = new Uint8Array();

/**
 * `before`: what was sent in this epoch already. Null: the head of the requests was made for what is written first, by `foldLeading`;
 * developer messages that it begins with are not sent by themselves.
 */
export function createItemWriter(form: ItemForm, before: (() => readonly SentItem[]) | null): ItemWriter {
  const order = form.repeatedRoles ? null : createTurnOrder();
  const sent = isInOrder(form) ? (before?.() ?? []) : [];
  for (const each of sent) for (const kind of order === null ? [] : readKinds(each)) order?.place(kind);
  order?.seal();
  let count = sent.length;
  let folds = before === null && hasOneSystemText(form);

  function writeOne({ item, maker, bytes }: UnsentItem, images: readonly ContentPart[]): SentItem {
    const made = maker === null || !isOfModel(item) ? {} : { maker };
    const place = count;
    const newId = (prefix: string): string => `${prefix}_unroll_${place}`;
    folds &&= isOfDeveloper(item);
    const { wires } = folds ? { wires: [] } : lowerItem({ item, maker }, { form, newId });
    count += 1;
    if (wires === null && images.length === 0) {
      order?.place(toKind(item));
      return { item, bytes: bytes ?? encoder.encode(encodeItem(item, form)), ...made };
    }
    const own = wires ?? [{ kind: toKind(item), json: encodeItem(item, form), parts: null }];
    const all = images.length === 0 ? own : [...own, toMessageWire("user", { type: "message", role: "user" }, images)];
    const { text, lowered } = placeAll(all, order, newId);
    const isAsItIs = !lowered.joins && lowered.ours === 0 && text === encodeItem(item, form);
    return { item, bytes: text === "" ? nothing : encoder.encode(text), ...(isAsItIs ? {} : { lowered }), ...made };
  }

  return {
    write(items) {
      let images: readonly ContentPart[] = [];
      const written = items.map((unsent, index) => {
        if (isOutput(unsent.item)) images = [...images, ...lowerItem(unsent, { form, newId: String }).images];
        const isLast = !isOutput(items[index + 1]?.item);
        const shown = isLast ? images : [];
        if (isLast) images = [];
        return writeOne(unsent, shown);
      });
      folds &&= items.length === 0;
      return written;
    },
    seal: () => order?.seal(),
  };
}

/** Whether the bytes of an item depend on the items before it. */
export function isInOrder(form: ItemForm): boolean {
  return !form.repeatedRoles || hasOneSystemText(form) || !form.anyItems;
}

function placeAll(
  wires: readonly WireItem[],
  order: TurnOrder | null,
  newId: NewId,
): { readonly text: string; readonly lowered: LoweredItem } {
  let joins = false;
  let ours = 0;
  const pieces = wires.flatMap((wire, index) => {
    const place = order?.place(wire.kind) ?? "alone";
    if (place === "joined" && index === 0 && wire.parts !== null) {
      joins = true;
      return [`,${wire.parts}]}`];
    }
    if (place !== "behind_line") return [wire.json];
    ours += 1;
    return [toAnswerWire(ownLine, (prefix) => `${newId(prefix)}_line`).json, wire.json];
  });
  return { text: pieces.join(","), lowered: { joins, ours } };
}

function isOfModel(item: ResponseItem): boolean {
  return item.type === "message" ? item.role === "assistant" : !isOutput(item);
}

function isOutput(item: ResponseItem | undefined): boolean {
  return item?.type === "function_call_output" || item?.type === "custom_tool_call_output";
}
