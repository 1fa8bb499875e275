import type { ResolvedConfig } from "@unroll/config";
import type { OpenThreadOptions } from "@unroll/harness";
import { findLastThread, openProgramStore, type ProcessIo } from "@unroll/program";
import type { ThreadSummary } from "@unroll/protocol";
import { renderAge } from "@unroll/report";
import { showHidden } from "@unroll/text";

export interface ChatOrigin {
  /** Its id, or the beginning of it; `last`: the one used last of those begun in the working folder. */
  readonly name: string;
  /** `last` is the one of all folders. */
  readonly all: boolean;
  /** A copy of it is gone on with, that has its first turns, or `all` of them. Null: itself. */
  readonly copiedTurns: number | "all" | null;
}

interface OriginOptions {
  /** Absent or null: a new thread. */
  readonly from?: ChatOrigin | null;
  readonly ephemeral?: boolean;
}

interface OpenedOrigin {
  readonly options: Pick<OpenThreadOptions, "ephemeral" | "store" | "resume" | "fork">;
  /** What the person is told of a thread that goes on under this id; null: it is a new one. */
  readonly tells: ((threadId: string) => string) | null;
}

/** What says where a conversation begins. Throws where there is no such thread. */
export async function openOrigin(
  { from = null, ephemeral: isEphemeral = false }: OriginOptions,
  { historyPersistence, codexHome, cwd }: ResolvedConfig,
  io: ProcessIo,
): Promise<OpenedOrigin> {
  const ephemeral = isEphemeral || historyPersistence !== "save-all";
  if (ephemeral && from === null) return { options: { ephemeral }, tells: null };
  const store = await openProgramStore(codexHome, io);
  if (from === null) return { options: { ephemeral, store }, tells: null };
  const last = from.name === "last" ? await findLastThread(store, { cwd, all: from.all }) : null;
  const id = last?.threadId ?? from.name;
  const said = last === null ? "" : ` (${describe(last, io)})`;
  const { copiedTurns } = from;
  if (copiedTurns === null)
    return {
      options: { ephemeral, store, resume: id },
      tells: (threadId) => `going on with thread ${threadId}${said}; unroll threads show prints it`,
    };
  return {
    options: { ephemeral, store, fork: { id, ...(copiedTurns !== "all" && { at: copiedTurns }) } },
    tells: (threadId) => `going on with a copy of thread ${id}${said}: the thread ${threadId}`,
  };
}

function describe({ title, usedAt }: ThreadSummary, io: Pick<ProcessIo, "now">): string {
  const said = title === null ? "" : `"${showHidden(title)}", `;
  return `${said}used ${renderAge(io.now() - usedAt)}`;
}
