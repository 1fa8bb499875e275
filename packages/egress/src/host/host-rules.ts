import type { HostLists } from "@unroll/protocol";
import {
  coversHost,
  formatHostPattern,
  type HostPattern,
  type HostTarget,
  matchesHost,
  meetHost,
  overlapsHost,
  parseHostPattern,
} from "./host-pattern.ts";

/** The hosts that a command reaches: those of `allow` that no pattern of `deny` or `ask` matches. Plain data. */
export interface HostRules {
  readonly allow: readonly HostPattern[];
  readonly deny: readonly HostPattern[];
  /** Hosts to ask about. Absent: those that no other pattern matches. */
  readonly ask?: readonly HostPattern[];
}

/** Reads the texts of rules. Throws `TypeError` for one that is not a pattern: leaving it out could allow a host. */
export function readHostRules({ allow, deny, ask = [] }: HostLists): HostRules {
  return { allow: allow.map(readPattern), deny: deny.map(readPattern), ask: ask.map(readPattern) };
}

function readPattern(text: string): HostPattern {
  const parsed = parseHostPattern(text);
  if (parsed.type === "refused") throw new TypeError(`${text} ${parsed.reason}.`);
  return parsed.pattern;
}

/** The hosts that both let a command reach. */
export function meetHosts(one: HostLists, other: HostLists): HostLists {
  const [first, second] = [readHostRules(one), readHostRules(other)];
  const both = first.allow.flatMap((pattern) => second.allow.flatMap((wanted) => meetHost(pattern, wanted) ?? []));
  return {
    allow: [...new Set(both.map(formatHostPattern))],
    deny: [...new Set([...first.deny, ...second.deny].map(formatHostPattern))],
    ask: [...new Set([...(first.ask ?? []), ...(second.ask ?? [])].map(formatHostPattern))],
  };
}

/** The judgement of a host. `rule`: the pattern that decided; null where no pattern matches. */
export type HostVerdict =
  | { readonly type: "allowed" | "asked"; readonly rule: string }
  | { readonly type: "denied"; readonly rule: string | null };

/** `deny` comes first; a host that no pattern matches is denied. */
export function judgeHost({ allow, deny, ask = [] }: HostRules, target: HostTarget): HostVerdict {
  const against = deny.find((pattern) => matchesHost(pattern, target));
  if (against !== undefined) return { type: "denied", rule: formatHostPattern(against) };
  const prompt = ask.find((pattern) => matchesHost(pattern, target));
  if (prompt !== undefined) return { type: "asked", rule: formatHostPattern(prompt) };
  const rule = allow.find((pattern) => matchesHost(pattern, target));
  return rule === undefined ? { type: "denied", rule: null } : { type: "allowed", rule: formatHostPattern(rule) };
}

/**
 * Whether `inner` certainly reaches no host that `outer` does not. It may say no where only several
 * patterns of `outer` together contain one of `inner`.
 */
export function hasTighterHosts(inner: HostRules, outer: HostRules): boolean {
  const isInside = inner.allow.every((pattern) => outer.allow.some((wider) => coversHost(wider, pattern)));
  const keepsDenied = outer.deny.every(
    (denied) =>
      inner.deny.some((wider) => coversHost(wider, denied)) ||
      !inner.allow.some((allowed) => overlapsHost(allowed, denied)),
  );
  return isInside && keepsDenied;
}
