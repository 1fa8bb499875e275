import { resolve } from "node:path";
import { forEach } from "@unroll/flow";
import type { ThreadQuery, ThreadSummary } from "@unroll/protocol";
import { describeFork, formatCost, renderAge } from "@unroll/report";
import { readPrices } from "@unroll/use-cases/cache";
import { estimateThreadCost, listThreads } from "@unroll/use-cases/threads";
import type { CommandRun } from "../run-command.ts";
import { openStore } from "./saved-thread.ts";
import { countNouns } from "@unroll/text";

/** The flags of `unroll threads list`. */
export interface ListFlags {
  readonly all?: boolean;
  readonly cd?: string;
  /** The same, by its older name. */
  readonly cwd?: string;
  readonly archived?: boolean;
  /** 0: all. */
  readonly limit: number;
  readonly json?: boolean;
}

/** Returns the exit code. */
export async function printThreads(flags: ListFlags, run: CommandRun): Promise<number> {
  const { io, host, printFolded, printJson } = run;
  const { all = false, archived = false, cd, cwd = cd, limit, json } = flags;
  const store = await openStore(run);
  const priceOf = await readPrices(host);
  const folder = resolve(io.cwd, cwd ?? ".");
  const query: ThreadQuery = { archived, ...(!all && { cwd: folder }) };
  let count = 0;
  const hasMore = await forEach(listThreads(store, { ...query, ...(limit > 0 && { limit }) }), async (summary) => {
    count += 1;
    const cost = await estimateThreadCost(summary, { store, priceOf });
    if (json) await printJson(toWire(summary, { archived, cost_usd: cost }));
    else await printFolded(toText(summary, { age: renderAge(io.now() - summary.usedAt), cost, all }));
  });
  if (json) return 0;
  if (hasMore) await printFolded(`… and more: use --limit ${limit * 4}, or 0 for all`);
  if (count > 0) return 0;
  const what = archived ? "archived" : "saved";
  const isNone = all || (await store.find("last", { archived })) === null;
  await printFolded(
    isNone ? `No ${what} threads yet.` : `No ${what} threads in ${folder}. --all lists the threads of all folders.`,
  );
  return 0;
}

function toWire(
  { threadId, createdAt, usedAt, cwd, branch, name, title, model, turns, usage, forkedFrom }: ThreadSummary,
  more: { readonly cost_usd: number | null; readonly archived: boolean },
): object {
  return {
    thread_id: threadId,
    created_at: new Date(createdAt).toISOString(),
    used_at: new Date(usedAt).toISOString(),
    cwd,
    branch,
    name,
    title,
    model,
    turns,
    usage,
    cost_usd: more.cost_usd,
    archived: more.archived,
    forked_from_id: forkedFrom?.threadId ?? null,
    forked_turns: forkedFrom?.turns ?? null,
  };
}

interface ListedFacts {
  readonly age: string;
  readonly cost: number | null;
  readonly all: boolean;
}

/** Two spaces between columns; names and titles come last, since they may be long. */
function toText(summary: ThreadSummary, { age, cost, all }: ListedFacts): string {
  const { threadId, cwd, branch, name, title, turns, usage, forkedFrom } = summary;
  const columns = [
    threadId,
    age.padStart("59 min ago".length),
    countNouns(turns, "turn").padStart("100 turns".length),
    (usage === null ? "" : `${renderTokens(usage.input_tokens + usage.output_tokens)} tokens`).padStart(
      "100.0k tokens".length,
    ),
    (usage === null ? "" : formatCost(cost)).padStart("$10.0000".length),
    ...(all ? [cwd ?? "?"] : []),
    ...(branch === null ? [] : [branch]),
    name ?? forkedFrom?.title ?? title ?? "",
    ...(forkedFrom === null ? [] : [describeFork(forkedFrom)]),
  ];
  return columns.join("  ").trimEnd();
}

function renderTokens(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
