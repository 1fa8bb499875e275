import type { AgentProgress } from "@unroll/protocol";
import { formatDollars, formatTokens } from "@unroll/text";

/** `running · pnpm test · 12.3k tokens · $0.044` */
export function describeAgent({ state, last_action: action, tokens, cost }: AgentProgress): string {
  const doing = state === "running" && action !== null ? [action] : [];
  return [state, ...doing, `${formatTokens(tokens)} tokens`, ...(cost === null ? [] : [formatDollars(cost)])].join(
    " · ",
  );
}
