import { shortestSecret } from "@unroll/text";
import {
  findSecrets,
  type FoundSecret,
  isCredential,
  isCredentialName,
  isCredentialVariable,
  withoutScheme,
} from "../check/find-secrets.ts";
import type { Environment } from "../config-sources.ts";
import type { ConfigTable } from "../keys/config-table.ts";
import type { ConfigLayer } from "../layer/config-layer.ts";
import type { NamedCredential, ResolvedConfig } from "../resolved-config.ts";
import { Secret } from "../secret.ts";
import { openaiKeyVariables } from "./resolve-provider.ts";

/** Addresses of servers, which may have a password. */
const serverVariables: readonly string[] = ["UNROLL_STORE", "UNROLL_QUEUE"];

/** Of every provider and MCP server, in use or not. */
export function collectSecrets({
  profiles: _profiles,
  ...table
}: ConfigTable): Pick<ResolvedConfig, "secretNames" | "inlineSecrets" | "namedSecrets"> {
  const found = findSecrets(table);
  const of = (how: FoundSecret["how"]): readonly string[] =>
    found.flatMap((each) => (each.how === how ? [each.text] : []));
  return {
    secretNames: [...new Set([...openaiKeyVariables, ...serverVariables, ...of("variable")])],
    inlineSecrets: of("value").map((token) => new Secret(token)),
    namedSecrets: found.flatMap(listNamed),
  };
}

/** With the name of its service: `github.GITHUB_TOKEN`. */
function listNamed({ path, how, text }: FoundSecret): readonly NamedCredential[] {
  const name = path.at(-1) ?? "";
  const owner = path.length > 2 && path[0] !== "shell_environment_policy" ? path[1] : path[0];
  if (how === "value") return [{ name: `${owner}.${name.replace("experimental_", "")}`, secret: new Secret(text) }];
  // Only in a query: an address with a user name is refused.
  const parameters = how === "query" ? (URL.parse(text)?.searchParams ?? []) : [];
  const texts = how === "names" ? [[name, text] as const] : [...parameters];
  return texts.flatMap(([key, value]) =>
    isCredential(key, value) ? [{ name: `${owner}.${key}`, secret: new Secret(withoutScheme(value)) }] : [],
  );
}

/**
 * Config files with a credential in plain text, in use or overridden: a command that reads one
 * would pass it to the model. Closing a file needlessly is better than leaving one open, so the
 * look of a value does not count. Commands get the variables in `shell_environment_policy` anyway.
 */
export function listFilesWithSecrets(layers: readonly ConfigLayer[]): readonly string[] {
  return layers.flatMap((layer) => {
    const isOpen = findSecrets(layer.table).some(
      ({ path, how, text }) =>
        !path.includes("shell_environment_policy") &&
        (how === "value" ||
          (how === "names" && isCredentialName(path.at(-1) ?? "")) ||
          (how === "query" && (URL.parse(text)?.search ?? "") !== "")),
    );
    const origin = isOpen ? layer.locate([]) : null;
    return origin?.type === "file" ? [origin.path] : [];
  });
}

/**
 * The harness's own credentials in plain text: those of the environment and those in the config.
 * Use them to check that something (a command's environment) holds none. Do not store the result.
 * Values shorter than `shortestSecret` characters are left out.
 */
export function listSecretValues(config: ResolvedConfig, env: Environment): readonly string[] {
  const values = [
    ...config.secretNames.map((name) => env[name]?.trim() ?? ""),
    ...config.inlineSecrets.map((secret) => secret.reveal()),
  ];
  return [...new Set(values.filter((value) => value.length >= shortestSecret))];
}

/**
 * Everything that is masked in tool outputs and events, in plain text: the harness's own
 * credentials, those written in the config, and variables that look like one. The order does not
 * depend on the order of the environment. Do not store the result. Values shorter than
 * `shortestSecret` characters are left out.
 */
export function listNamedSecrets(
  config: ResolvedConfig,
  env: Environment,
): readonly { readonly name: string; readonly value: string }[] {
  const toValue = (name: string): string => env[name]?.trim() ?? "";
  const variables = Object.keys(env)
    .toSorted()
    .filter((name) => isCredentialVariable(name, toValue(name)));
  const named = [
    ...[...config.secretNames, ...variables].map((name) => ({ name, value: toValue(name) })),
    ...config.namedSecrets.map(({ name, secret }) => ({ name, value: secret.reveal() })),
  ];
  const seen = new Set<string>();
  return named.filter(({ value }) => {
    const isNew = value.length >= shortestSecret && !seen.has(value);
    seen.add(value);
    return isNew;
  });
}
