import { resolve } from "node:path";
import { resolveCodexHome } from "@unroll/config";
import { findThreadId, openProgramStore, ProgramError } from "@unroll/program";
import type { StoredThread } from "@unroll/protocol";
import { explainUnwritten } from "@unroll/report";
import { systemErrorCode } from "@unroll/text";
import { writeExport } from "@unroll/use-cases/export";
import type { CommandRun } from "../run-command.ts";
import { trustAuthorities } from "./trust-authorities.ts";

/** The saved threads of this user. */
export async function openStore(run: CommandRun): ReturnType<typeof openProgramStore> {
  const { io } = run;
  if (io.env["UNROLL_STORE"]) await trustAuthorities(run);
  return openProgramStore({ codexHome: resolveCodexHome(io.env, io.cwd) }, io);
}

/** Loads a thread by its id, or the latest one of this folder by `last`. Throws if there is none. */
export async function loadThread(name: string, run: CommandRun): Promise<StoredThread> {
  const store = await openStore(run);
  return store.load(await findThreadId(store, { name, cwd: run.io.cwd, all: null }));
}

/** Writes a file that a flag names, and says where. Throws `ProgramError` if it cannot. */
export async function writePage(
  content: string | Uint8Array,
  file: string,
  { io }: Pick<CommandRun, "io">,
): Promise<void> {
  const written = await writeExport(content, { path: resolve(io.cwd, file), replaces: true, newId: io.newId });
  if (written.type === "written") return void io.stderr.stream.write(`written: ${written.path}\n`);
  const isInput = written.type === "left_alone" || systemErrorCode(written.error) === "ENOENT";
  const cause = written.type === "failed" ? written.error : null;
  throw new ProgramError(isInput ? "input" : "output", explainUnwritten(written), { cause });
}
