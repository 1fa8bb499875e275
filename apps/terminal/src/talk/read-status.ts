import type { StatusFacts, StatusSegment } from "@unroll/cells";
import { statusSegments } from "@unroll/cells";
import type { ResolvedConfig } from "@unroll/config";
import { toPriceOf } from "../text/to-price-of.ts";
import type { Talk } from "./talk.ts";

/** What the status line shows, now. `branch`: null where there is none. */
export function readStatus(talk: Talk, branch: string | null): StatusFacts {
  const { conversation, desk, host, plan } = talk;
  const { config } = conversation;
  const usage = desk.surface.transcript?.view.usage ?? null;
  const price = toPriceOf(config)({
    model: config.model,
    provider: config.provider.id,
    serviceTier: config.serviceTier,
  });
  const cached = usage?.thread.cached_input_tokens ?? 0;
  return {
    model: config.model,
    effort: config.reasoningEffort,
    cwd: shortenHome(config.cwd, host.homeDirectory),
    branch,
    sandbox: plan.isOn ? "plan: read-only" : config.sandboxSettings.mode,
    approvals: config.approvalPolicy,
    contextTokens: usage?.request?.input_tokens ?? null,
    contextWindow: conversation.thread.config.modelFamily.contextWindow,
    cachedTokens: cached,
    uncachedTokens: (usage?.thread.input_tokens ?? 0) - cached,
    costUsd: price === null ? null : desk.surface.costUsd,
    elapsedMs: readElapsed(talk),
  };
}

/** In whole seconds: what changed more often would be painted more often. Null: nothing runs. */
export function readElapsed({ desk, clock }: Pick<Talk, "desk" | "clock">): number | null {
  const { work } = desk.surface.ui;
  return work.type === "running" ? Math.floor((clock.elapsed() - work.since) / 1000) * 1000 : null;
}

/** Unknown names of `tui.status_line` are left out. */
export function readSegments({ terminal: { statusLine } }: ResolvedConfig): readonly StatusSegment[] {
  if (statusLine === null) return statusSegments;
  return statusLine.flatMap((name) => statusSegments.find((segment) => segment === name) ?? []);
}

function shortenHome(path: string, home: string): string {
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
