import { resolve } from "node:path";
import { accountThread, estimateTotalCost, type PriceOf } from "@unroll/accounting";
import { createHost, type ProcessIo } from "@unroll/program";
import type { ThreadQuery, ThreadStore, ThreadSummary } from "@unroll/protocol";
import { formatCost } from "@unroll/report";
import { escapeHidden, showHidden } from "@unroll/text";
import { readPrices } from "@unroll/use-cases/prices";
import { renderAge } from "@unroll/report";
import { runThreadsCommand } from "./run-threads-command.ts";

export interface ListFlags {
  readonly all?: boolean;
  readonly cd?: string;
  /** The same, as it was named before. */
  readonly cwd?: string;
  readonly archived?: boolean;
  /** 0: all. */
  readonly limit: number;
  readonly json?: boolean;
}

/** Returns the exit code. */
export function listThreads(flags: ListFlags, io: ProcessIo): Promise<number> {
  return runThreadsCommand(
    io,
    async function* ({ store }) {
      let count = 0;
      const priceOf = await readPrices(createHost(io));
      for await (const summary of store.list(toQuery(flags, io))) {
        count += 1;
        if (flags.limit > 0 && count > flags.limit) {
          if (!flags.json) yield `… and more: --limit ${flags.limit * 4}, or 0 for all`;
          return;
        }
        const cost = await findCost(summary, { store, priceOf });
        yield flags.json ? toJson(summary, flags, cost) : toText(summary, flags, { io, cost });
      }
      if (count === 0 && !flags.json) yield await explainNone(flags, store, io);
    },
    flags,
  );
}

function toQuery({ all, cd, cwd = cd, archived = false }: ListFlags, io: ProcessIo): ThreadQuery {
  return all ? { archived } : { archived, cwd: resolve(io.cwd, cwd ?? ".") };
}

async function explainNone(
  { all, archived = false, cd, cwd = cd }: ListFlags,
  store: ThreadStore,
  io: ProcessIo,
): Promise<string> {
  const what = archived ? "archived" : "kept";
  for await (const _ of store.list({ archived })) {
    if (!all) return `No thread of ${resolve(io.cwd, cwd ?? ".")} is ${what}: --all lists those of all folders.`;
  }
  return `No thread is ${what} yet.`;
}

function toJson(summary: ThreadSummary, { archived = false }: ListFlags, cost_usd: number | null): string {
  const { threadId, createdAt, usedAt, cwd, branch, name, title, model, turns, usage } = summary;
  const wire = {
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
    cost_usd,
    archived,
  };
  return escapeHidden(JSON.stringify(wire));
}

interface ListContext {
  readonly io: ProcessIo;
  readonly cost: number | null;
}

/** Two spaces stand between what is told; names and titles come last, since they may be long. */
function toText(summary: ThreadSummary, { all }: ListFlags, { io, cost }: ListContext): string {
  const { threadId, usedAt, cwd, branch, name, title, turns, usage } = summary;
  const columns = [
    threadId,
    renderAge(io.now() - usedAt).padStart("59 min ago".length),
    (turns === 1 ? "1 turn" : `${turns} turns`).padStart("100 turns".length),
    (usage === null ? "" : `${renderTokens(usage.input_tokens + usage.output_tokens)} tokens`).padStart(
      "100.0k tokens".length,
    ),
    (usage === null ? "" : formatCost(cost)).padStart("$10.0000".length),
    ...(all ? [cwd ?? "?"] : []),
    ...(branch === null ? [] : [branch]),
    name ?? title ?? "",
  ];
  return showHidden(columns.join("  ").trimEnd());
}

interface CostSources {
  readonly store: ThreadStore;
  readonly priceOf: PriceOf;
}

/**
 * By the price of the model that it had last; where that depends on how long each request was, by its requests. Null where a price
 * or a count is not known.
 */
async function findCost(summary: ThreadSummary, { store, priceOf }: CostSources): Promise<number | null> {
  const { threadId, model, provider, usage, longestInput = null } = summary;
  const price = model === null || provider === null ? null : priceOf({ model, provider, serviceTier: null });
  if (price === null || usage === null) return null;
  const total = estimateTotalCost({ usage, longestInput }, price);
  if (total !== null) return total.withCache;
  const stored = await store.load(threadId).catch(() => null); // broken, or gone meanwhile: its line is shown all the same
  const account = stored === null ? null : accountThread(stored.entries, priceOf);
  return account === null || account.unpricedRequests > 0 ? null : (account.cost?.withCache ?? null);
}

function renderTokens(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
