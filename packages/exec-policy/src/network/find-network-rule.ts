import type { Decision } from "../language/decision.ts";
import { normaliseHost } from "./declare-network-rule.ts";
import type { NetworkProtocol, NetworkRule } from "./network-rule.ts";

const strictestFirst: readonly Decision[] = ["forbidden", "prompt", "allow"];

/** The strictest of the rules on a connection; null where no rule speaks of it. `host` may carry a port. */
export function findNetworkRule(
  host: string,
  protocol: NetworkProtocol,
  rules: readonly NetworkRule[],
): NetworkRule | null {
  const name = normaliseHost(host);
  const speaking = rules.filter((rule) => rule.host === name && rule.protocol === protocol);
  const ordered = strictestFirst.flatMap((decision) => speaking.filter((rule) => rule.decision === decision));
  return ordered[0] ?? null;
}
