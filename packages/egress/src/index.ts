export { formatHostPattern, parseHostPattern } from "./host/host-pattern.ts";
export { hasTighterHosts, judgeHost, meetHosts, readHostRules } from "./host/host-rules.ts";
export { createEgressProxy } from "./proxy/egress-proxy.ts";

export type { HostPattern, HostTarget, ParsedHostPattern } from "./host/host-pattern.ts";
export type { HostRules, HostVerdict } from "./host/host-rules.ts";
export type { AskedHost, HostAnswer, ResolveHost, UpstreamProxy } from "./proxy/dial.ts";
export type { EgressDenial, EgressEvent } from "./proxy/egress-event.ts";
export type { EgressLimits, EgressOptions, EgressProxy } from "./proxy/egress-proxy.ts";
