import type { ThreadUpkeep } from "@unroll/protocol";

/** Of simulated files, which nobody archives or deletes. */
export const untended: ThreadUpkeep = {
  archive: refuse,
  unarchive: refuse,
  rename: refuse,
  remove: refuse,
  removeUnused: refuse,
  async *collect() {},
  listOpen: async () => [],
  sweep: async () => 0,
};

function refuse(): Promise<never> {
  return Promise.reject(new Error("Simulated threads are not archived, renamed or deleted."));
}
