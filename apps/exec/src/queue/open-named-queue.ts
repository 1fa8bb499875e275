import { hostname } from "node:os";
import { loadServerPackage, type ProcessIo, ProgramError, readServerUrl } from "@unroll/program";
import type { QueueFlags } from "./define-worker-command.ts";

/** A queue as flags and variables name it, with the package for it. */
export interface NamedQueue {
  readonly library: typeof import("@unroll/queue");
  readonly place: { readonly url: string; readonly name?: string };
  /** The host of tasks that are bound to one. */
  readonly host: string;
}

/** Throws `ProgramError` if none is named, or its package is missing. */
export async function openNamedQueue(flags: QueueFlags, io: Pick<ProcessIo, "cwd" | "env">): Promise<NamedQueue> {
  const schemes = ["redis", "rediss", "unix", "postgres", "postgresql"];
  const url = await readServerUrl(
    { flag: "--queue", value: flags.queue ?? null, variable: "UNROLL_QUEUE", schemes },
    io,
  );
  if (url === null)
    throw new ProgramError("usage", "No queue is named: set UNROLL_QUEUE, or use --queue redis://127.0.0.1:6379.");
  const library = await loadServerPackage("@unroll/queue", "A queue", () => import("@unroll/queue"));
  const { name } = flags;
  return { library, place: { url, ...(name !== undefined && { name }) }, host: flags.host ?? hostname() };
}
