import { hostname } from "node:os";
import { createClock } from "@unroll/harness";
import type { ThreadStore } from "@unroll/protocol";
import type { PostgresStore } from "@unroll/store-postgres";
import type { ProcessIo } from "../io/process-io.ts";
import { loadServerPackage } from "../server/load-server-package.ts";
import { readServerUrl } from "../server/read-server-url.ts";

/** The parts of a process that a store needs. */
export type StoreIo = Pick<ProcessIo, "now" | "elapsed" | "newId" | "pid" | "cwd" | "env">;

/** Where the threads are. */
export interface StorePlace {
  readonly codexHome: string;
  /** As `--store` has it: the URL of a server, or `@FILE`; empty: files. Absent: what the variable UNROLL_STORE has. */
  readonly store?: string;
  /** Processes of this name take a thread over from each other at once. Absent: none does. */
  readonly holder?: string;
  /** Whether a folder of threads without file locks is refused: see `ThreadStoreOptions` of the package rollout. */
  readonly needsLocks?: boolean;
}

const schemes = ["postgres", "postgresql"];

/** One for each server: the threads that this process holds are known to it. */
const shared = new Map<string, Promise<PostgresStore>>();

/**
 * The threads of a Codex home, or of a server if one is named. Imports the store only now. Throws `ProgramError` for a wrong URL or
 * a missing package.
 */
export async function openProgramStore(place: StorePlace, io: StoreIo): Promise<ThreadStore> {
  const { codexHome, holder, needsLocks, store } = place;
  const url = await readServerUrl({ flag: "--store", value: store ?? null, variable: "UNROLL_STORE", schemes }, io);
  if (url !== null) return openSharedStore(url, io, holder);
  const { openThreadStore } = await import("@unroll/rollout");
  return openThreadStore({ codexHome, clock: { now: () => io.now() }, pid: io.pid, needsLocks });
}

async function openSharedStore(url: string, io: StoreIo, holder?: string): Promise<PostgresStore> {
  const opening =
    shared.get(url) ??
    loadPackage().then(({ openPostgresStore }) =>
      openPostgresStore({
        url,
        clock: createClock(io),
        holder: holder ?? `process ${io.pid} on ${hostname()}, ${io.newId().slice(-6)}`,
      }),
    );
  shared.set(url, opening);
  opening.catch(() => shared.delete(url)); // the next one tries again
  return opening;
}

function loadPackage(): Promise<typeof import("@unroll/store-postgres")> {
  return loadServerPackage("@unroll/store-postgres", "A store in PostgreSQL", () => import("@unroll/store-postgres"));
}
