import type { ItemDeltaEvent, ThreadEvent } from "@unroll/protocol";
import type { MaskStream, SecretMask } from "@unroll/text";
import { maskStrings } from "./mask-strings.ts";

/** Events on their way to the thread, masked. */
export interface EventMask {
  /** The events to tell in the place of this one. */
  readonly write: (event: ThreadEvent) => readonly ThreadEvent[];
  /** What was held back of live text. */
  readonly end: () => readonly ThreadEvent[];
}

/** Of a piece of live text that may end within a secret the end waits for the next piece, or for the end of its item. */
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
