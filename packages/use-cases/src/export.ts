import { link, lstat, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PriceOf, SavedAgent } from "@unroll/accounting";
import { listNamedSecrets } from "@unroll/config";
import type { Host, ResolvedConfig } from "@unroll/harness";
import type { JournalEntry } from "@unroll/protocol";
import {
  createThreadDocument,
  createThreadTrajectory,
  type ThreadDocument,
  type ThreadTrajectory,
  type UnwrittenFile,
} from "@unroll/report";
import { createSecretMask, systemErrorCode } from "@unroll/text";
import { maskStrings } from "@unroll/tools";
import { loadAgents } from "./load-agents.ts";

interface ExportOptions {
  readonly config: ResolvedConfig;
  readonly host: Pick<Host, "env">;
  readonly priceOf: PriceOf;
}

interface ThreadExportOptions extends ExportOptions {
  /** The entries of a saved thread; rejects if it cannot be read. */
  readonly load: (threadId: string) => Promise<readonly JournalEntry[]>;
}

/**
 * A thread to be shared, with those of its sub-agents: without any credential that unroll knows here, whether or not the config
 * lets models see them. Its `threadId` is empty while it has no turn.
 */
export async function exportThread(
  entries: readonly JournalEntry[],
  options: ThreadExportOptions,
): Promise<ThreadDocument> {
  const agents: SavedAgent[] = [];
  for await (const agent of loadAgents(entries, { load: options.load, keptOnly: true })) agents.push(agent);
  return maskExport(createThreadDocument(entries, options.priceOf, agents), options);
}

/** The same in a format that evaluation harnesses read. */
export function exportTrajectory(entries: readonly JournalEntry[], options: ExportOptions): ThreadTrajectory {
  return maskExport(createThreadTrajectory(entries, options.priceOf), options);
}

function maskExport<Value>(value: Value, { config, host }: ExportOptions): Value {
  const { mask } = createSecretMask(listNamedSecrets(config, host.env));
  return maskStrings(value, mask);
}

interface WriteOptions {
  /** Absolute. */
  readonly path: string;
  /** Whether a file that is there is replaced; anything else of that name never is. */
  readonly replaces: boolean;
  /** Unguessable, for the draft's name. */
  readonly newId: () => string;
}

/** Writes a file for the user's eyes only (mode 0600), whole or not at all. */
export async function writeExport(
  content: string | Uint8Array,
  { path, replaces, newId }: WriteOptions,
): Promise<{ readonly type: "written"; readonly path: string } | UnwrittenFile> {
  const found = await findOther(path);
  if (found !== null) return { type: "left_alone", path, found };
  const draft = join(dirname(path), `.unroll-${newId()}.tmp`);
  try {
    await writeWhole(draft, content);
    // replaces a link that came there meanwhile, and never follows it
    await (replaces ? rename(draft, path) : link(draft, path));
    return { type: "written", path };
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return { type: "failed", path, error };
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}

async function findOther(
  path: string,
): Promise<Extract<UnwrittenFile, { readonly type: "left_alone" }>["found"] | null> {
  const found = await lstat(path).catch(() => null);
  if (found === null || found.isFile()) return null;
  return found.isSymbolicLink() ? "link" : found.isDirectory() ? "folder" : "special";
}

async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(content);
  await file.sync();
}
