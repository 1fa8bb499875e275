import {
  coversHost,
  formatHostPattern,
  type HostPattern,
  type HostTarget,
  matchesHost,
  overlapsHost,
} from "./host-pattern.ts";

/** The hosts that a command reaches: those of `allow` that no pattern of `deny` matches. Plain data. */
export interface HostRules {
  readonly allow: readonly HostPattern[];
  readonly deny: readonly HostPattern[];
}

/** The judgement of a host. `rule`: the pattern that decided; null where no pattern matches. */
export type HostVerdict =
  | { readonly type: "allowed"; readonly rule: string }
  | { readonly type: "denied"; readonly rule: string | null };

/** `deny` comes first; a host that no pattern matches is denied. */
export function judgeHost({ allow, deny }: HostRules, target: HostTarget): HostVerdict {
  const against = deny.find((pattern) => matchesHost(pattern, target));
  if (against !== undefined) return { type: "denied", rule: formatHostPattern(against) };
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
