import { isCredentialValue, withoutScheme } from "./is-credential.ts";
import { toSettingsPath } from "./settings-path.ts";

/** What a table calls so is a credential. */
const credentialName = /auth|cookie|key|password|secret|token/i;

/** Tables of names that a service or a program gives. */
const namedValues =
  /^(?:model_providers|mcp_servers)\.\*\.(?:http_headers|query_params|env)$|^shell_environment_policy\.set$/;

/** Whether a text at this key looks like a credential. */
export function isSecretKey(path: readonly string[], value: string): boolean {
  const settings = toSettingsPath(path);
  const name = settings.at(-1) ?? "";
  if (name === "experimental_bearer_token") return true;
  if (name === "url" || name === "base_url") return holdsKey(value);
  return isNamedValue(settings) && credentialName.test(name) && isCredentialValue(withoutScheme(value));
}

/** Whether the texts of the table around this key are never shown: each may be a credential, whatever it is called. */
export function isNamedValue(path: readonly string[]): boolean {
  const [table = "", id, ...rest] = toSettingsPath(path).slice(0, -1);
  return namedValues.test(table === "shell_environment_policy" ? `${table}.${id}` : [table, "*", ...rest].join("."));
}

/** Services like to put keys into the queries of their addresses. */
function holdsKey(text: string): boolean {
  const { search = "", username = "", password = "" } = URL.parse(text) ?? {};
  return search + username + password !== "";
}
