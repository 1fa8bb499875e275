import type { AgentProgress, AgentWorktree } from "@unroll/protocol";
import { formatDollars, formatTokens } from "@unroll/text";

/** `running · pnpm test · 12.3k tokens · $0.044 · worktree unroll/0a1b2c3d4e5f`; then the file of its diff. */
export function describeAgent({ state, last_action: action, tokens, cost, worktree }: AgentProgress): string {
  const doing = state === "running" && action !== null ? [action] : [];
  const price = cost === null ? [] : [formatDollars(cost)];
  return [state, ...doing, `${formatTokens(tokens)} tokens`, ...price, ...describeWorktree(worktree)].join(" · ");
}

function describeWorktree(worktree: AgentWorktree | undefined): readonly string[] {
  if (worktree === undefined) return [];
  return [worktree.patch === null ? `worktree ${worktree.branch}` : `diff ${worktree.patch}`];
}
