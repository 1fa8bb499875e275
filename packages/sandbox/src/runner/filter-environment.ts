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

/** The environment that commands get of the harness's own `environment`. */
export function filterEnvironment(
  environment: Environment,
  policy: ShellEnvironmentPolicy,
  credentials: Credentials,
): Readonly<Record<string, string>> {
  const isCredential = createCredentialTest(environment, credentials);
  const isIncluded = policy.includeOnly.length === 0 ? () => true : createNameTest(policy.includeOnly);
  const variables = { ...inherit(environment, policy), ...policy.set };
  return Object.fromEntries(
    Object.entries(variables).filter(([name, value]) => isIncluded(name) && !isCredential(name, value)),
  );
}

function inherit(environment: Environment, policy: ShellEnvironmentPolicy): Readonly<Record<string, string>> {
  const isExcluded = createNameTest(policy.exclude);
  const entries = Object.entries(environment).flatMap(([name, value]): [string, string][] => {
    const isInherited = policy.inherit === "all" || (policy.inherit === "core" && coreNames.has(name.toUpperCase()));
    const looksSecret = !policy.ignoreDefaultExcludes && secretName.test(name);
    return value === undefined || !isInherited || looksSecret || isExcluded(name) ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
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
