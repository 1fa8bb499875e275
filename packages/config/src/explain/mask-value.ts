import { findSecrecy } from "../check/find-secrets.ts";
import { isCredential } from "../check/is-credential.ts";
import type { KeyPath } from "../toml/key-path.ts";
import { isTable } from "../toml/table.ts";

/** What stands where a credential is. */
const masked = "[secret]";

/** A value as it may be shown: without what is, or may be, a credential. */
export function maskValue(path: KeyPath, value: unknown): unknown {
  if (isTable(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskValue([...path, key], each)]));
  }
  const how = findSecrecy(path);
  if (how === "value" || findSecrecy(path.slice(0, -1)) === "names") return masked;
  if (how === "query" && typeof value === "string") return maskAddress(value);
  return how === "arguments" && Array.isArray(value) ? maskArguments(value.map(String)) : value;
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
    if (isCredential(name, value)) return `${name}${sign}${masked}`;
    const before = args[index - 1] ?? "";
    return before.startsWith("-") && isCredential(before, arg) ? masked : arg;
  });
}
