import { link, lstat, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PriceOf } from "@unroll/accounting";
import { listNamedSecrets } from "@unroll/config";
import type { Host, ResolvedConfig } from "@unroll/harness";
import { type JournalEntry, listStoredTurns } from "@unroll/protocol";
import {
  createThreadDocument,
  createThreadTrajectory,
  type StoredAgent,
  type ThreadDocument,
  type ThreadTrajectory,
  type UnwrittenFile,
} from "@unroll/report";
import { createSecretMask, systemErrorCode } from "@unroll/text";
import { maskStrings } from "@unroll/tools";

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
  const agents = await loadAgents(entries, { ...options, above: "", seen: new Set() });
  return maskExport(createThreadDocument(entries, options.priceOf, agents), options);
}

interface AgentsPlace extends Pick<ThreadExportOptions, "load"> {
  /** The names of those above, each with ` / ` behind it. */
  readonly above: string;
  readonly seen: Set<string>;
}

/** The sub-agents of turns that were not undone, each before its own. */
async function loadAgents(
  entries: readonly JournalEntry[],
  { load, above, seen }: AgentsPlace,
): Promise<readonly StoredAgent[]> {
  const kept = new Set(listStoredTurns(entries).map(({ id }) => id));
  const agents: StoredAgent[] = [];
  let isKept = true;
  for (const entry of entries) {
    if (entry.type === "turn.started") isKept = kept.has(entry.turnId);
    if (entry.type !== "agent.started" || !isKept || seen.has(entry.childId)) continue;
    const { childId: threadId } = entry;
    seen.add(threadId);
    const own = await load(threadId).catch(() => null); // a thread without a turn is not saved
    const name = `${above}${entry.name}`;
    agents.push({ threadId, name, entries: own });
    if (own !== null) agents.push(...(await loadAgents(own, { load, above: `${name} / `, seen })));
  }
  return agents;
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
