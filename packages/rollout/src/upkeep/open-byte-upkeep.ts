import type { Clock } from "@unroll/flow";
import type { RepairedThread, ThreadUpkeep } from "@unroll/protocol";
import { readBytes, writeDraft } from "../file/copy-bytes.ts";
import { readIdTime } from "../file/rollout-name.ts";
import type { ThreadFiles } from "../journal/thread-files.ts";
import { mendLines, requireLines } from "./mend-lines.ts";
import { readImport } from "./read-import.ts";

/** Upkeep that reads and writes the bytes of threads. */
export function openByteUpkeep(
  files: ThreadFiles,
  clock: Pick<Clock, "now">,
): Pick<ThreadUpkeep, "repair" | "export" | "import"> {
  async function add(threadId: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    await using _ = await files.hold(threadId);
    await writeDraft(await files.create(threadId), bytes);
  }

  /** Looks first, and writes only if something is wrong. The thread as it was becomes an archived one with an id of its own. */
  async function repair(id: string): Promise<RepairedThread> {
    await using held = new AsyncDisposableStack();
    const { threadId } = await files.find(id);
    held.use(await files.hold(threadId));
    const found = await files.find(threadId);
    const thread = { threadId, createdAt: readIdTime(threadId) ?? found.usedAt ?? 0, clock };
    const mended = await mendLines(await files.read(threadId), thread, async () => {});
    const { repairs } = mended;
    requireLines(mended, found);
    if (repairs.length === 0) return { ...found, aside: null, repairs };
    const asideId = `before-repair-${new Date(clock.now()).toISOString().replaceAll(/\D/g, "")}-${threadId}`;
    await add(asideId, readBytes(await files.read(threadId)));
    const { place: aside } = await files.upkeep.archive(asideId);
    const draft = await files.upkeep.redraft(threadId);
    try {
      await mendLines(await files.read(threadId), thread, (bytes, position) => draft.write(bytes, position));
      await draft.publish();
    } finally {
      await draft.close();
    }
    return { ...found, aside, repairs };
  }

  return {
    repair,
    async *export(id) {
      const { threadId } = await files.find(id);
      yield* readBytes(await files.read(threadId));
    },
    async import(bytes) {
      const imported = await readImport(bytes);
      await add(imported.threadId, imported.bytes);
      return files.find(imported.threadId);
    },
  };
}
