import type { TokenUsage } from "@unroll/protocol";
import { renderUsage } from "@unroll/view";
import type { CommandContext } from "./terminal-command.ts";

/** Shows the usage of another thread's turn, as after a turn. `what`: its name. The status line counts the current thread only. */
export function tellUsageBeside({ lines }: Pick<CommandContext, "lines">, what: string, usage: TokenUsage): void {
  if (usage.input_tokens === 0) return;
  const text = `${renderUsage(usage)} (${what}, not counted in the status line)`;
  lines(() => [{ spans: [{ text, roles: ["muted"] }], wrap: "words" }]);
}
