import { shortenText } from "@unroll/text";
import type { NetworkRule } from "../network/network-rule.ts";
import type { PrefixRule } from "../rules/rule-set.ts";
import type { PartVerdict } from "./verdict.ts";

/** How much of a command goes into a sentence. In UTF-16 units. */
const maximumCommandLength = 120;

/** One sentence that says what decided on a command. */
export function explainVerdict({ text, source }: PartVerdict): string {
  const command = text === "" ? "the script" : `\`${shorten(text)}\``;
  switch (source.type) {
    case "rule.matched":
      return `The ${labelRule(source.match.rule)} ${decides(source.match.rule)} ${command}${because(source.match.rule)}`;
    case "rule.suspected":
      return `The ${labelRule(source.rule)} ${decides(source.rule)} what ${command} may turn out to run${because(source.rule)}`;
    case "network.matched":
      return `The ${labelRule(source.rule)} ${decides(source.rule)} ${command}, which names ${source.rule.host}${because(source.rule)}`;
    case "danger.found":
      return `Dangerous: ${command} ${source.danger.reason}.`;
    case "script.unread":
      return `What it runs is not known: ${command} holds ${source.detail}.`;
    case "command.unlisted":
    case "read.withheld":
      return `Not known to be harmless: ${command} ${source.detail}.`;
    case "read.recognised":
      return text === "" ? "Nothing is run." : `Known to only read: ${command}.`;
  }
}

/** `rule file:line`, the place to look it up. */
export function labelRule(rule: PrefixRule | NetworkRule): string {
  return `rule ${rule.location.file}:${rule.location.line}`;
}

function decides(rule: PrefixRule | NetworkRule): string {
  return { allow: "allows", prompt: "asks about", forbidden: "forbids" }[rule.decision];
}

function because(rule: PrefixRule | NetworkRule): string {
  return rule.justification === null ? "." : `: ${rule.justification}`;
}

function shorten(text: string): string {
  return shortenText(text.replaceAll(/\s+/g, " "), maximumCommandLength);
}
