import { resolve } from "node:path";
import { forEach } from "@unroll/flow";
import type { ThreadQuery, ThreadSummary } from "@unroll/protocol";
import { describeFork, formatCost, renderAge, renderTable, type TableColumn } from "@unroll/report";
import { readPrices } from "@unroll/use-cases/cache";
import { estimateThreadCost, listThreads, nameThread } from "@unroll/use-cases/threads";
import type { CommandRun } from "../run-command.ts";
import { openStore } from "./saved-thread.ts";
import { countNouns, formatTokens } from "@unroll/text";

/** The flags of `unroll threads list`. */
export interface ListFlags {
  readonly all?: boolean;
  readonly cd?: string;
  /** The same, by its older name. */
  readonly cwd?: string;
  /** A thread id or its prefix. */
  readonly parent?: string;
  readonly archived?: boolean;
  /** 0: all. */
  readonly limit: number;
  readonly json?: boolean;
}

/** Returns the exit code. */
export async function printThreads(flags: ListFlags, run: CommandRun): Promise<number> {
  const { io, host, columns: width, print, printFolded, printJson } = run;
  const { all: isAll = false, archived = false, cd, cwd = cd, limit, json } = flags;
  const all = isAll || flags.parent !== undefined;
  const columns = toColumns(all);
  const store = await openStore(run);
  const parent = flags.parent === undefined ? null : (await store.upkeep.find(flags.parent)).threadId;
  const priceOf = await readPrices(host);
  const folder = resolve(io.cwd, cwd ?? ".");
  const query: ThreadQuery = { archived, ...(!all && { cwd: folder }), ...(parent !== null && { parent }) };
  let count = 0;
  const hasMore = await forEach(listThreads(store, { ...query, ...(limit > 0 && { limit }) }), async (summary) => {
    count += 1;
    const cost = await estimateThreadCost(summary, { store, priceOf });
    if (json) await printJson(toWire(summary, { archived, cost_usd: cost }));
    else {
      const listed = { ...summary, age: renderAge(io.now() - summary.usedAt), cost };
      for (const line of renderTable([listed], { layouts: [columns], width }).lines) await print(line);
    }
  });
  if (json) return 0;
  if (hasMore) await printFolded(`… and more: use --limit ${limit * 4}, or 0 for all`);
  if (count > 0) return 0;
  if (parent !== null) {
    await printFolded(`${parent} has started no ${archived ? "archived " : ""}threads.`);
    return 0;
  }
  const what = archived ? "archived" : "saved";
  const isNone = all || (await store.find("last", { archived })) === null;
  await printFolded(
    isNone ? `No ${what} threads yet.` : `No ${what} threads in ${folder}. --all lists the threads of all folders.`,
  );
  return 0;
}

function toWire(
  { threadId, createdAt, usedAt, cwd, branch, name, title, model, turns, usage, forkedFrom, parent }: ThreadSummary,
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
    parent_id: parent?.threadId ?? null,
  };
}

interface ListedThread extends ThreadSummary {
  readonly age: string;
  /** In US dollars; null: unknown. */
  readonly cost: number | null;
}

/** Names and titles come last, since they may be long. */
function toColumns(all: boolean): readonly TableColumn<ListedThread>[] {
  return [
    { value: ({ threadId }) => threadId },
    { align: "right", least: "59 min ago".length, value: ({ age }) => age },
    { align: "right", least: "100 turns".length, value: ({ turns }) => countNouns(turns, "turn") },
    { align: "right", least: "100.0k tokens".length, value: ({ usage }) => renderUsage(usage) },
    {
      align: "right",
      least: "$10.0000".length,
      value: ({ usage, cost }) => (usage === null ? "" : cost === null ? "cost unknown" : formatCost(cost)),
    },
    ...(all ? [{ value: ({ cwd }: ListedThread) => cwd ?? "?" }] : []),
    { value: describeText },
  ];
}

function describeText(thread: ThreadSummary): string {
  const { branch, forkedFrom } = thread;
  return [
    ...(branch === null ? [] : [branch]),
    nameThread(thread) ?? "",
    ...(forkedFrom === null ? [] : [describeFork(forkedFrom)]),
  ].join("  ");
}

function renderUsage(usage: ThreadSummary["usage"]): string {
  return usage === null ? "" : `${formatTokens(usage.input_tokens + usage.output_tokens)} tokens`;
}
