import { checkShape } from "@unroll/text";
import { markerVariable } from "@unroll/process-tree";
import type { ShellEnvironmentPolicy } from "@unroll/protocol";

/** What the harness itself logs in with. Commands get none of it, whatever the policy says. */
export interface Credentials {
  /** Of variables. */
  readonly names: readonly string[];
  /** Also under other names, and as a part of a value. */
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
/** A shorter value is no credential, but a word that may be anywhere. */
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

/** The environment that commands get of the harness's own `environment`. */
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
 * What of the variables that a user's profile sets commands get. `environment` is the harness's own, where it finds the values
 * of `credentials`. Each function takes the statement that declares a variable, and any text that the profile defines.
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

/** What is not to be given on of what a profile does. */
export interface ProfileFilter {
  readonly keepsVariable: (name: string, declaration: string) => boolean;
  /** By a value of one. */
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
