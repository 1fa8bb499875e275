import type { NetworkProtocol, NetworkRule } from "./network-rule.ts";

/** Hosts, each with the ports of its rule's protocol: `name:443`. */
export interface RuleHosts {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
}

/** UDP has no way out, so a rule for it allows nothing. */
const ports: Readonly<Record<NetworkProtocol, readonly string[]>> = {
  http: [":80"],
  https: [":443"],
  socks5_tcp: [""],
  socks5_udp: [],
};

/**
 * The hosts of network rules, for a proxy that knows names and ports. To forbid or prompt for a host
 * counts for every port of it, except where only plain HTTP is meant.
 */
export function toHostLists(rules: readonly NetworkRule[]): RuleHosts {
  const list = (decision: NetworkRule["decision"]): readonly string[] =>
    rules
      .filter((rule) => rule.decision === decision)
      .flatMap(({ host, protocol }) => {
        const isWide = decision !== "allow" && protocol !== "http";
        return (isWide ? [""] : ports[protocol]).map((port) => `${toAddress(host)}${port}`);
      });
  return { allow: list("allow"), deny: list("forbidden"), ask: list("prompt") };
}

/** The rules that allow a host, each the text of one line: `name:port`. Other ports than those of HTTP mean the whole host. */
export function renderNetworkRule(host: string): string {
  const [, name = host, port = ""] = /^(.*):(\d+)$/.exec(host) ?? [];
  const protocol = port === "80" ? "http" : port === "443" ? "https" : "socks5_tcp";
  return `network_rule(host="${name.replace(/^\[|\]$/g, "")}", protocol="${protocol}", decision="allow")`;
}

/** An IPv6 address is in brackets where a port may follow. */
function toAddress(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
