import type { Decision } from "../language/decision.ts";
import type { RuleLocation } from "../language/rule-location.ts";

export type NetworkProtocol = "http" | "https" | "socks5_tcp" | "socks5_udp";

/** `network_rule(…)`: a decision on connections to one host. */
export interface NetworkRule {
  /** Lower case, without port, brackets or final dot. */
  readonly host: string;
  readonly protocol: NetworkProtocol;
  readonly decision: Decision;
  readonly justification: string | null;
  readonly location: RuleLocation;
}
