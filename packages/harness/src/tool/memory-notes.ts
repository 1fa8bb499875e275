import type { ThreadNotes, ThreadNoteValues } from "@unroll/protocol";

/** The notes of a thread that is kept nowhere. */
export function createMemoryNotes(): ThreadNotes {
  let values: ThreadNoteValues = { plan: null, approved: [], mcpListed: null, mcpTold: [] };
  return {
    get: (key) => values[key],
    set(key, value) {
      values = { ...values, [key]: value };
    },
  };
}
