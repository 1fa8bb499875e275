/**
 * Names of members that restrain the model or the run: in requests, in tool arguments and in config
 * files. A program that does not understand such a member, or its value, refuses it; it passes over
 * other unknown members with a warning. Each is matched against the words of a name in lower case,
 * joined by `_`: `readOnlyAccess` and `READONLYAccess` are `read_only_access` and `readonly_access`.
 */
const restraints: readonly RegExp[] = [
  // what may be done
  /(^|_)permissions?($|_)/,
  /(^|_)sand_?box/,
  /(^|_)approv/,
  /(^|_)profiles?($|_)/,
  /(^|_)(deny|denied|denies|disallow|forbid|restrict|block(ed|list)($|_))/,
  /(^|_)(allow|allowed|allowlist|whitelist)($|_)/,
  /(^|_)requirements?($|_)/,
  /(^|_)polic(y|ies)($|_)/,
  /(^|_)disabled?($|_)/,
  /(^|_)(confirm|escalat|isolat|privilege|confine|lockdown|protect|immutable|offline)/,
  /(^|_)(safe_mode|dry_run|plan_only)($|_)/,
  /(^|_)tools($|_)/,
  // where
  /net_?work/,
  /(^|_)(internet|egress|firewall)($|_)/,
  /(^|_)read_?only($|_)/,
  /(^|_)(write?able|writes?)($|_)/,
  /(^|_)workspace_roots?($|_)/,
  /(^|_)exclude_(slash_)?tmp/,
  /(^|_)environments$/,
  // how much
  /(^|_)(max|maximum)($|_)/,
  /(^|_)limits?($|_)/,
  /(^|_)budgets?($|_)/,
  /(^|_)(caps?|quotas?)$/,
  /(^|_)time_?outs?($|_)/,
  /(^|_)(deadline|ceiling)s?($|_)/,
];

/** Names of restraints whose words are not set apart: `permissionmode`, `MAXTURNS`. */
const joined = [
  /^(permission|profile|den(y|ied)|disallow|allow|whitelist|block|disable|network|tools|readonly|write?able)/,
  /^(max|limit|budget|timeout)/,
  /(permissions?|profile|policy|tools|limits?|budget|timeout(s|ms)?|workspaceroots?)$/,
];

/** Values that restrain under any name, as words: of a sandbox, and when to ask. */
const restraining = /^(_?read_?only|_workspace|workspace_?write|on_request|on_failure|untrusted)$/;

/** Whether a member of this name restrains, in camelCase, kebab-case or snake_case, or in one case alone. */
export function isRestraint(name: string): boolean {
  const words = toWords(name);
  const patterns = words.includes("_") ? restraints : [...restraints, ...joined];
  return patterns.some((pattern) => pattern.test(words));
}

/** Whether the value of an unknown member restrains, whatever the member's name says: `mode: "read-only"`, `mode: "plan"`. */
export function isRestrainingValue(name: string, value: unknown): boolean {
  if (typeof value !== "string") return false;
  const words = toWords(value);
  return restraining.test(words) || (words === "plan" && /(^|_)mode(_id)?$/.test(toWords(name)));
}

function toWords(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3_$2$4")
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "_");
}

/**
 * The path to the first restraint in a value, the members of its lists and tables included; null:
 * there is none. A member that is null asks for nothing, and one that carries a vendor's name (`x-…`,
 * `example.com/…`), as in `_meta`, speaks to that vendor's programs.
 */
export function findRestraint(value: unknown): readonly (string | number)[] | null {
  if (typeof value !== "object" || value === null) return null;
  const members: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  for (const [name, below] of members) {
    if (below === null || below === undefined || (typeof name === "string" && isOfVendor(name))) continue;
    if (typeof name === "string" && isRestraint(name)) return [name];
    if (isRestrainingValue(String(name), below)) return [name];
    const inside = findRestraint(below);
    if (inside !== null) return [name, ...inside];
  }
  return null;
}

function isOfVendor(name: string): boolean {
  return name.startsWith("x-") || name.includes("/");
}
