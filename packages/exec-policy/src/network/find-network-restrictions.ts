import { baseName } from "../command/program-path.ts";
import type { ShellWord } from "../command/shell-word.ts";
import { withoutGlobalOptions } from "../command/without-global-options.ts";
import { findNetworkRule } from "./find-network-rule.ts";
import type { NetworkProtocol, NetworkRule } from "./network-rule.ts";

/** A rule that a command may not pass unasked: it names the host, or may turn out to. */
export interface NetworkRestriction {
  readonly type: "network.matched" | "rule.suspected";
  readonly rule: NetworkRule;
}

/** Programs that connect to a host among their words, and how they do where the word has no scheme. */
const clients: ReadonlyMap<string, readonly NetworkProtocol[]> = new Map<string, readonly NetworkProtocol[]>([
  ...["curl", "wget", "http", "https"].map((name) => [name, ["http", "https"] as const] as const),
  ...["git", "ssh", "scp", "sftp", "rsync"].map((name) => [name, ["socks5_tcp"] as const] as const),
  ...["nc", "ncat", "netcat", "telnet"].map((name) => [name, ["socks5_tcp", "socks5_udp"] as const] as const),
]);

const remoteSubcommand = /^(?:clone|fetch|ls-remote|pull|push|remote|submodule)$/;

/** `scheme://user@host`, `user@host:path`, `host:port/path`, also as the value of a long option. curl takes `https:/host`, too. */
const address =
  /^(?:--[\w-]+=)?(?:([a-z][\w+.-]*):\/\/|(https?):[/\\]{1,3})?(?:[^/\\?#\s]*@)?(?!(?:https?|ftps?|ssh|git):(?:[/\\]|$))(\[[\da-f:.]*\]|[^/\\:?#\s]+)(?=[/\\:?#])/i;

/** A host as it is connected to. Other characters are an escape, a pattern or another alphabet: clients read them in ways of their own. */
const plainHost = /^(?:[\w.-]+|\[[\da-f:.]*\])$/i;

/**
 * The `network_rule`s against the hosts that a client names. A host that is allowed changes nothing for the command. Where
 * only the run tells which host it is (`https://$h`), or the client reads it in a way of its own (`%2E`, `{a,b}`), the
 * strictest rule that it may meet is suspected. A host that no word holds, such as that of `git push`, is the sandbox's to stop.
 */
export function findNetworkRestrictions(
  words: readonly ShellWord[],
  rules: readonly NetworkRule[],
): readonly NetworkRestriction[] {
  const [program, first] = withoutGlobalOptions(words);
  const name = program?.kind === "static" ? baseName(program.text).toLowerCase() : "";
  const protocols = clients.get(name);
  if (protocols === undefined || (name === "git" && !remoteSubcommand.test(first?.text ?? ""))) return [];
  return words.slice(1).flatMap((word, index) => {
    const found = findForWord(word, protocols, rules);
    const isValue = isOneWord(word) && takesOtherValue(name, words[index]?.text ?? "");
    return isValue ? found.filter(({ type }) => type === "network.matched") : found;
  });
}

/** Options whose value is not an address: a header, content, a file, a time. */
function takesOtherValue(name: string, option: string): boolean {
  if (name !== "curl") return /^--(?:header|post-data|body-data|output-document|user-agent)$/.test(option);
  return curlValue.test(option);
}

const curlValue =
  /^(?:-[sSfLkivnqgGI]*[HdouAebXFTmwrcDYyCzE]|--(?:header|data(?:-raw|-binary|-urlencode|-ascii)?|json|form(?:-string)?|output|user|user-agent|cookie|cookie-jar|request|upload-file|max-time|connect-timeout|retry|write-out|range))$/;

/** A word that is only known when it runs, and is one: quoted, and no list. */
function isOneWord(word: ShellWord): boolean {
  return word.kind !== "dynamic" || /^"[^"@*]*"$/.test(word.text);
}

function findForWord(
  word: ShellWord,
  protocols: readonly NetworkProtocol[],
  rules: readonly NetworkRule[],
): readonly NetworkRestriction[] {
  const [, fullScheme, webScheme, host] = address.exec(word.kind === "static" ? `${word.text}/` : word.head) ?? [];
  const scheme = fullScheme ?? webScheme;
  if (host !== undefined && plainHost.test(host)) {
    return toProtocols(scheme, protocols)
      .map((protocol) => findNetworkRule(host, protocol, rules))
      .filter((rule) => rule !== null && rule.decision !== "allow")
      .flatMap((rule) => (rule === null ? [] : [{ type: "network.matched", rule }]));
  }
  if (host === undefined && (word.kind === "static" || /\s/.test(word.head))) return [];
  if (host === undefined && word.head.startsWith("-") && !word.head.includes("=")) return [];
  const schemeInPart = /^(?:--[\w-]+=)?([a-z][\w+.-]*):[/\\]/i.exec(word.head)?.[1];
  const suspect = findStrictest(toProtocols(scheme ?? schemeInPart, protocols), rules);
  return suspect === null ? [] : [{ type: "rule.suspected", rule: suspect }];
}

function toProtocols(scheme: string | undefined, protocols: readonly NetworkProtocol[]): readonly NetworkProtocol[] {
  return scheme === undefined ? protocols : [protocolOf(scheme.toLowerCase())];
}

/** The rule that a host would have to fear most. */
function findStrictest(protocols: readonly NetworkProtocol[], rules: readonly NetworkRule[]): NetworkRule | null {
  const speaking = rules.filter(({ protocol }) => protocols.includes(protocol));
  const forbidding = speaking.find(({ decision }) => decision === "forbidden");
  return forbidding ?? speaking.find(({ decision }) => decision === "prompt") ?? null;
}

function protocolOf(scheme: string): NetworkProtocol {
  return scheme === "http" || scheme === "https" ? scheme : "socks5_tcp";
}
