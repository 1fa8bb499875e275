import { isCredentialValue } from "../schema/is-credential.ts";
import { isNamedValue } from "../schema/secret-keys.ts";
import type { KeyPath } from "../toml/key-path.ts";
import { isTable } from "../toml/table.ts";

/** What stands where a credential is. */
const masked = "[secret]";

const addresses: ReadonlySet<string> = new Set(["url", "base_url", "openai_base_url"]);
const credentialName = /auth|cookie|key|password|secret|token/i;

/** A value as it may be shown: without what is, or may be, a credential. */
export function maskValue(path: KeyPath, value: unknown): unknown {
  if (isTable(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskValue([...path, key], each)]));
  }
  const name = path.at(-1) ?? "";
  if (name === "experimental_bearer_token" || isNamedValue(path)) return masked;
  if (typeof value === "string" && addresses.has(name)) return maskAddress(value);
  return (name === "args" || name === "auth_command") && Array.isArray(value)
    ? maskArguments(value.map(String))
    : value;
}

/** Services like to put keys into the queries of their addresses. */
function maskAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null) return masked;
  const login = url.username + url.password === "" ? "" : `${masked}@`;
  return `${url.protocol}//${login}${url.host}${url.pathname}${url.search + url.hash === "" ? "" : `?${masked}`}`;
}

/** `--token X`, `--token=X`, `Authorization: X`. */
function maskArguments(args: readonly string[]): readonly string[] {
  return args.map((arg, index) => {
    const [, name = "", sign = "", value = ""] = /^([^=:]*)([=:]\s*)(.*)$/s.exec(arg) ?? [];
    if (credentialName.test(name) && isCredentialValue(value)) return `${name}${sign}${masked}`;
    const before = args[index - 1] ?? "";
    return before.startsWith("-") && credentialName.test(before) && isCredentialValue(arg) ? masked : arg;
  });
}
