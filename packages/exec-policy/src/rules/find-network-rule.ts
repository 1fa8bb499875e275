import type { Decision } from "./decision.ts";
import { normaliseHost } from "./declare-network-rule.ts";
import type { NetworkProtocol, NetworkRule, RuleSet } from "./rule-set.ts";

const strictestFirst: readonly Decision[] = ["forbidden", "prompt", "allow"];

/** The strictest `network_rule` on a connection; null where no rule speaks of it. `host` may carry a port. */
export function findNetworkRule(host: string, protocol: NetworkProtocol, rules: RuleSet): NetworkRule | null {
  const name = normaliseHost(host);
  const speaking = rules.networkRules.filter((rule) => rule.host === name && rule.protocol === protocol);
  const ordered = strictestFirst.flatMap((decision) => speaking.filter((rule) => rule.decision === decision));
  return ordered[0] ?? null;
}
