import type { ThreadFiles } from "@unroll/rollout";

/** Of simulated files, which nobody archives or deletes. */
export const untended: ThreadFiles["upkeep"] = {
  find: refuse,
  archive: refuse,
  unarchive: refuse,
  remove: refuse,
  removeUnused: refuse,
  redraft: refuse,
  async *collect() {},
  listOpen: async () => [],
  sweep: async () => 0,
  check: async () => ({ place: "a simulated disk", warning: null }),
};

function refuse(): Promise<never> {
  return Promise.reject(new Error("Simulated threads are not archived or deleted."));
}
