import { findNetworkRule } from "../rules/find-network-rule.ts";
import type { NetworkProtocol, RuleSet } from "../rules/rule-set.ts";
import { baseName } from "../shell/program-path.ts";
import type { ShellWord } from "../shell/shell-word.ts";
import { withoutGlobalOptions } from "../shell/without-global-options.ts";
import type { DecisionSource } from "./verdict.ts";

/** Programs that connect to a host among their words, and how they do where the word has no scheme. */
const clients: ReadonlyMap<string, readonly NetworkProtocol[]> = new Map<string, readonly NetworkProtocol[]>([
  ...["curl", "wget", "http", "https"].map((name) => [name, ["http", "https"] as const] as const),
  ...["git", "ssh", "scp", "sftp", "rsync"].map((name) => [name, ["socks5_tcp"] as const] as const),
  ...["nc", "ncat", "netcat", "telnet"].map((name) => [name, ["socks5_tcp", "socks5_udp"] as const] as const),
]);

const remoteSubcommand = /^(?:clone|fetch|ls-remote|pull|push|remote|submodule)$/;

/** `scheme://user@host`, `user@host:path`, `host:port/path`, also as the value of a long option. */
const address = /^(?:--[\w-]+=)?(?:([a-z][\w+.-]*):\/\/)?(?:[^/?#\s]*@)?(\[[^\]]*\]|[^/:?#\s]+)(?=[/:?#])/i;

/**
 * The `network_rule`s against the hosts that a client plainly names. A host that is allowed changes nothing for
 * the command, and one that is only known when it runs is the sandbox's to stop.
 */
export function findNetworkRestrictions(words: readonly ShellWord[], rules: RuleSet): readonly DecisionSource[] {
  const [program, first] = withoutGlobalOptions(words);
  const name = program?.kind === "static" ? baseName(program.text).toLowerCase() : "";
  const protocols = clients.get(name);
  if (protocols === undefined || (name === "git" && !remoteSubcommand.test(first?.text ?? ""))) return [];
  const speaking = words.slice(1).flatMap((word) => findRules(word, protocols, rules));
  return speaking.map((rule) => ({ type: "network.matched", rule }));
}

function findRules(word: ShellWord, protocols: readonly NetworkProtocol[], rules: RuleSet): RuleSet["networkRules"] {
  const [, scheme, host] = address.exec(word.kind === "static" ? `${word.text}/` : word.withoutExpansions) ?? [];
  if (host === undefined) return [];
  const spoken = scheme === undefined ? protocols : [protocolOf(scheme.toLowerCase())];
  return spoken
    .map((protocol) => findNetworkRule(host, protocol, rules))
    .filter((rule) => rule !== null)
    .filter((rule) => rule.decision !== "allow");
}

function protocolOf(scheme: string): NetworkProtocol {
  return scheme === "http" || scheme === "https" ? scheme : "socks5_tcp";
}
