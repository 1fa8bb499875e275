import { shortestSecret } from "@unroll/text";
import type { Environment } from "../config-sources.ts";
import type { ResolvedConfig } from "../resolved-config.ts";
import { isCredentialVariable } from "../schema/is-credential.ts";

/**
 * What is masked in tool outputs and events, in plain text: the harness's own credentials, those that stand in the config,
 * and variables that look like one. In one order, whatever the order of the environment. Keep the answer nowhere. Values
 * under `shortestSecret` characters are left out.
 */
export function listNamedSecrets(
  config: ResolvedConfig,
  env: Environment,
): readonly { readonly name: string; readonly value: string }[] {
  const variables = Object.keys(env)
    .toSorted()
    .filter((name) => isCredentialVariable(name, toValue(env[name])));
  const named = [
    ...[...config.secretNames, ...variables].map((name) => ({ name, value: toValue(env[name]) })),
    ...config.namedSecrets.map(({ name, secret }) => ({ name, value: secret.reveal() })),
  ];
  const seen = new Set<string>();
  return named.filter(({ value }) => {
    const isNew = value.length >= shortestSecret && !seen.has(value);
    seen.add(value);
    return isNew;
  });
}

function toValue(variable = ""): string {
  return variable.trim();
}
