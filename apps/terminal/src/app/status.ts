import { renderStatusLine, type StatusFacts, type StatusSegment, statusSegments } from "@unroll/cells";
import type { ResolvedConfig } from "@unroll/config";
import type { Row } from "@unroll/screen";
import { toPriceOf } from "@unroll/use-cases/cache";
import { sumAgentCosts } from "@unroll/view";
import { shortenHome } from "../text/shorten-home.ts";
import type { App } from "./app.ts";

/**
 * Renders the status line for a width in cells. Each frame asks for it, so it is only rebuilt when something changed. `branch`: null outside
 * git.
 */
export function createStatusRow(app: App, branch: string | null): (columns: number) => Row {
  const segments = readSegments(app.threads.current.config);
  let last: { readonly of: readonly unknown[]; readonly row: Row } | null = null;
  return (columns) => {
    const { driver } = app;
    const { config, isPlanning } = app.threads.current;
    const costUsd = readCost(app);
    const of = [columns, config, isPlanning, readElapsed(app), driver.view.usage, costUsd];
    if (last?.of.every((each, at) => each === of[at]) !== true) {
      last = { of, row: renderStatusLine(readStatus(app, branch), segments, columns).spans };
    }
    return last.row;
  };
}

function readStatus(app: App, branch: string | null): StatusFacts {
  const { driver, host } = app;
  const { config, isPlanning } = app.threads.current;
  const { thread, request } = driver.view.usage;
  const price = toPriceOf(config)({
    model: config.model,
    provider: config.provider.id,
    serviceTier: config.serviceTier,
  });
  const cached = thread.cached_input_tokens;
  return {
    model: config.model,
    effort: config.reasoningEffort,
    cwd: shortenHome(config.cwd, host.homeDirectory),
    branch,
    sandbox: isPlanning ? "plan: read-only" : config.sandboxSettings.mode,
    approvals: config.approvalPolicy,
    contextTokens: request?.input_tokens ?? null,
    contextWindow: config.modelFamily.contextWindow,
    cachedTokens: cached,
    uncachedTokens: thread.input_tokens - cached,
    costUsd: price === null ? null : readCost(app),
    elapsedMs: readElapsed(app),
  };
}

/** With the thread's sub-agents, in US dollars; null: the cost of one is not known. */
function readCost({ costUsd, threads }: App): number | null {
  const cost = sumAgentCosts(threads.current.agents?.list() ?? []);
  return costUsd === null || cost === null ? null : costUsd + cost;
}

/** In whole seconds, so that it changes once a second. Null: nothing runs. */
function readElapsed({ works: [first], clock }: App): number | null {
  return first === undefined ? null : Math.floor((clock.elapsed() - first.since) / 1000) * 1000;
}

/** Unknown names in `tui.status_line` are ignored. */
function readSegments({ terminal: { statusLine } }: ResolvedConfig): readonly StatusSegment[] {
  if (statusLine === null) return statusSegments;
  return statusLine.flatMap((name) => statusSegments.find((segment) => segment === name) ?? []);
}
