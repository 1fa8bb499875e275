import type { AgentProgress } from "@unroll/protocol";
import { formatDollars, formatTokens } from "@unroll/text";

/** `running · pnpm test · 12.3k tokens · $0.044 · worktree unroll/0a1b2c3d4e5f` */
export function describeAgent({ state, last_action: action, tokens, cost, worktree }: AgentProgress): string {
  const doing = state === "running" && action !== null ? [action] : [];
  const price = cost === null ? [] : [formatDollars(cost)];
  const place = worktree === undefined ? [] : [`worktree ${worktree.branch}`];
  return [state, ...doing, `${formatTokens(tokens)} tokens`, ...price, ...place].join(" · ");
}
