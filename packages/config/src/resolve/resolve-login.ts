import { ConfigError } from "../fault/config-error.ts";
import { loginKeys } from "../keys/login-keys.ts";
import { holdsLogin } from "./holds-login.ts";
import type { ResolveContext } from "./resolve-context.ts";

/** Where a person logs in. Throws `ConfigError` for an issuer or an address of ChatGPT that credentials cannot be sent to. */
export function resolveIssuer(context: ResolveContext): string {
  const { chatgpt_base_url: chatgpt, login = {} } = context.table;
  if (chatgpt !== undefined) checkAddress(context, "chatgpt_base_url", chatgpt);
  if (login.issuer !== undefined) checkAddress(context, "login.issuer", login.issuer);
  return (login.issuer ?? loginKeys.keys["login.issuer"].default).replace(/\/+$/, "");
}

const thisMachine: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

function checkAddress({ origins }: ResolveContext, key: string, text: string): void {
  const url = URL.parse(text);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && thisMachine.has(url.hostname));
  if (url !== null && isSafe && !holdsLogin(url) && url.search === "" && url.hash === "") return;
  throw new ConfigError({
    code: "value_invalid",
    message: `${key} must be an address that begins with https:// (or http:// of this machine), without user name and query: credentials are sent there.`,
    key,
    origin: origins.get(key),
  });
}
