import { checkShape } from "@unroll/text";
import { markerVariable } from "@unroll/process-tree";
import type { ShellEnvironmentPolicy } from "@unroll/protocol";

/** The harness's own credentials. Commands get none of them, whatever the policy says. */
export interface Credentials {
  /** Names of variables. */
  readonly names: readonly string[];
  /** Values; they are removed under other names too, and when they are part of a value. */
  readonly values: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const coreNames = new Set(
  (
    "HOME LOGNAME PATH SHELL USER USERNAME LANG LC_ALL LC_CTYPE TZ TMPDIR TEMP TMP " +
    "APPDATA COMSPEC LOCALAPPDATA PATHEXT SYSTEMDRIVE SYSTEMROOT USERPROFILE WINDIR"
  ).split(" "),
);
const secretName = /KEY|SECRET|TOKEN|PASSWORD/i;
/** A shorter value is an ordinary word, not a credential. */
const shortestCredential = 6;

const filterShape = {
  environment: "an object",
  "policy.inherit": ["all", "core", "none"],
  "policy.exclude": "a list",
  "policy.includeOnly": "a list",
  "policy.set": "an object",
  "credentials.names": "a list",
  "credentials.values": "a list",
} as const;

/** The variables of `environment` that commands get. Throws `TypeError` for a wrong shape. */
export function filterEnvironment(
  environment: Environment,
  policy: ShellEnvironmentPolicy,
  credentials: Credentials,
): Readonly<Record<string, string>> {
  checkShape("filterEnvironment", { environment, policy, credentials }, filterShape);
  const isCredential = createCredentialTest(environment, credentials);
  const isIncluded = policy.includeOnly.length === 0 ? () => true : createNameTest(policy.includeOnly);
  const variables = { ...inherit(environment, policy), ...policy.set };
  return Object.fromEntries(
    Object.entries(variables).filter(([name, value]) => isIncluded(name) && !isCredential(name, value)),
  );
}

/**
 * The same filter for what a user's shell profile sets. `environment` is the harness's own and has
 * the values of `credentials`. Throws `TypeError` for a wrong shape.
 */
export function createProfileFilter(
  environment: Environment,
  policy: ShellEnvironmentPolicy,
  credentials: Credentials,
): ProfileFilter {
  checkShape("createProfileFilter", { environment, policy, credentials }, filterShape);
  const isCredential = createCredentialTest(environment, credentials);
  const isIncluded = policy.includeOnly.length === 0 ? () => true : createNameTest(policy.includeOnly);
  const isExcluded = createExclusion(policy);
  return {
    keepsVariable: (name, declaration) =>
      name !== markerVariable && // each command has its own
      isIncluded(name) &&
      (name in policy.set || !isExcluded(name)) &&
      !isCredential(name, declaration),
    holdsCredential: (text) => isCredential("", text),
  };
}

/** Decides which parts of a profile commands get. */
export interface ProfileFilter {
  readonly keepsVariable: (name: string, declaration: string) => boolean;
  /** Whether a text of the profile contains the value of a credential. */
  readonly holdsCredential: (text: string) => boolean;
}

function inherit(environment: Environment, policy: ShellEnvironmentPolicy): Readonly<Record<string, string>> {
  const isExcluded = createExclusion(policy);
  const entries = Object.entries(environment).flatMap(([name, value]): [string, string][] => {
    const isInherited = policy.inherit === "all" || (policy.inherit === "core" && coreNames.has(name.toUpperCase()));
    return value === undefined || !isInherited || isExcluded(name) ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

function createExclusion({ exclude, ignoreDefaultExcludes }: ShellEnvironmentPolicy): (name: string) => boolean {
  const isExcluded = createNameTest(exclude);
  return (name) => (!ignoreDefaultExcludes && secretName.test(name)) || isExcluded(name);
}

function createCredentialTest(
  environment: Environment,
  { names, values }: Credentials,
): (name: string, value: string) => boolean {
  const upperNames = new Set(names.map((name) => name.toUpperCase()));
  const known = [...values, ...names.map((name) => environment[name] ?? "")].filter(
    (value) => value.length >= shortestCredential,
  );
  return (name, value) => upperNames.has(name.toUpperCase()) || known.some((credential) => value.includes(credential));
}

function createNameTest(globs: readonly string[]): (name: string) => boolean {
  const patterns = globs.map((glob) => {
    const literal = glob.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
    return new RegExp(`^${literal.replaceAll("*", ".*").replaceAll("?", ".")}$`, "is");
  });
  return (name) => patterns.some((pattern) => pattern.test(name));
}
