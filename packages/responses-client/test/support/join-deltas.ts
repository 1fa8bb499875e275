interface Event {
  readonly type: string;
  readonly item_id?: string;
  readonly delta?: unknown;
}

/** One delta where several of an item follow each other: how many events a text comes in is chance, its text is not. */
export function joinDeltas(events: readonly object[]): readonly object[] {
  const joined: (Event & object)[] = [];
  for (const event of events as readonly (Event & object)[]) {
    const last = joined.at(-1);
    const goesOn = typeof event.delta === "string" && last?.type === event.type && last.item_id === event.item_id;
    if (goesOn) joined.splice(-1, 1, { ...last, delta: `${String(last.delta)}${String(event.delta)}` });
    else joined.push(event);
  }
  return joined;
}
