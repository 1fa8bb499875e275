import { renderStatusLine, type StatusFacts, type StatusSegment, statusSegments } from "@unroll/cells";
import type { ResolvedConfig } from "@unroll/config";
import type { Row } from "@unroll/screen";
import { toPriceOf } from "@unroll/use-cases/prices";
import type { App } from "./app.ts";

/**
 * The status line in so many cells. Put together anew only where something of it may have changed: it is asked for with each frame.
 * `branch`: null where there is none.
 */
export function createStatusRow(app: App, branch: string | null): (columns: number) => Row {
  const segments = readSegments(app.conversation.config);
  let last: { readonly of: readonly unknown[]; readonly row: Row } | null = null;
  return (columns) => {
    const { conversation, driver, plan, costUsd } = app;
    const of = [columns, conversation.config, plan.isOn, readElapsed(app), driver.view.usage, costUsd];
    if (last?.of.every((each, at) => each === of[at]) !== true) {
      last = { of, row: renderStatusLine(readStatus(app, branch), segments, columns).spans };
    }
    return last.row;
  };
}

function readStatus(app: App, branch: string | null): StatusFacts {
  const { conversation, driver, host, plan } = app;
  const { config } = conversation;
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
    sandbox: plan.isOn ? "plan: read-only" : config.sandboxSettings.mode,
    approvals: config.approvalPolicy,
    contextTokens: request?.input_tokens ?? null,
    contextWindow: conversation.thread.config.modelFamily.contextWindow,
    cachedTokens: cached,
    uncachedTokens: thread.input_tokens - cached,
    costUsd: price === null ? null : app.costUsd,
    elapsedMs: readElapsed(app),
  };
}

/** In whole seconds: what changed more often would be painted more often. Null: nothing runs. */
function readElapsed({ workingSince, clock }: App): number | null {
  return workingSince === null ? null : Math.floor((clock.elapsed() - workingSince) / 1000) * 1000;
}

/** Unknown names of `tui.status_line` are left out. */
function readSegments({ terminal: { statusLine } }: ResolvedConfig): readonly StatusSegment[] {
  if (statusLine === null) return statusSegments;
  return statusLine.flatMap((name) => statusSegments.find((segment) => segment === name) ?? []);
}

function shortenHome(path: string, home: string): string {
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
