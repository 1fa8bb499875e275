import type { ThreadUpkeep } from "@unroll/protocol";

/** Of simulated files, which nobody archives or deletes. */
export const untended: ThreadUpkeep = {
  archive: refuse,
  unarchive: refuse,
  remove: refuse,
  removeUnused: refuse,
  async *collect() {},
  sweep: async () => 0,
};

function refuse(): Promise<never> {
  return Promise.reject(new Error("Simulated threads are neither archived nor deleted."));
}
