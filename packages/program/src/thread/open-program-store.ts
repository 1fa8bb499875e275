import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { createClock } from "@unroll/harness";
import type { FileThreadStore } from "@unroll/rollout";
import type { PostgresStore } from "@unroll/store-postgres";
import { describeThrown } from "@unroll/text";
import { ProgramError } from "../failure/program-error.ts";
import type { ProcessIo } from "../io/process-io.ts";

/** The parts of a process that a store needs. */
export type StoreIo = Pick<ProcessIo, "now" | "elapsed" | "newId" | "pid" | "cwd" | "env">;

/** The threads of a Codex home, or those of a server. */
export type ProgramStore = FileThreadStore | PostgresStore;

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

/** One for each server: the threads that this process holds are known to it. */
const shared = new Map<string, Promise<PostgresStore>>();

/**
 * The threads of a Codex home, or of a server if one is named. Imports the store only now. Throws `ProgramError` for a wrong URL or
 * a missing package.
 */
export async function openProgramStore(place: StorePlace, io: StoreIo): Promise<ProgramStore> {
  const { codexHome, holder, needsLocks, store = io.env["UNROLL_STORE"] ?? "" } = place;
  if (store !== "") return openSharedStore(await readUrl(store, io), io, holder);
  const { openThreadStore } = await import("@unroll/rollout");
  return openThreadStore({ codexHome, clock: { now: () => io.now() }, pid: io.pid, needsLocks });
}

/** `@FILE`: the first line of a file, so that a password is in no list of processes. */
async function readUrl(named: string, { cwd }: StoreIo): Promise<string> {
  const url = named.startsWith("@") ? await readFirstLine(resolve(cwd, named.slice(1))) : named;
  if (/^postgres(ql)?:\/\//.test(url)) return url;
  throw new ProgramError("usage", "--store: use a postgres:// URL, or @FILE for a file that contains one.");
}

async function readFirstLine(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).split("\n", 1)[0]?.trim() ?? "";
  } catch (error) {
    throw new ProgramError("usage", `--store: ${describeThrown(error)}`, { cause: error });
  }
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

async function loadPackage(): Promise<typeof import("@unroll/store-postgres")> {
  try {
    return await import("@unroll/store-postgres");
  } catch (error) {
    if (!/Cannot find (module|package) '@unroll\/store-postgres'/.test(describeThrown(error))) throw error;
    throw new ProgramError(
      "usage",
      "A store in PostgreSQL needs the package @unroll/store-postgres. Install it beside unroll: npm install -g @unroll/store-postgres",
      { cause: error },
    );
  }
}
