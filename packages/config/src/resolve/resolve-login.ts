import { ConfigError } from "../fault/config-error.ts";
import type { LoginConfig } from "../resolved-config.ts";
import { defaults } from "../schema/defaults.ts";
import { holdsLogin } from "./holds-login.ts";
import type { ResolveContext } from "./resolve-context.ts";

/** Throws `ConfigError` for an issuer or an address of ChatGPT that credentials cannot be sent to. */
export function resolveLogin(context: ResolveContext): LoginConfig {
  const { table } = context;
  const { login = {} } = table;
  if (table.chatgpt_base_url !== undefined) checkAddress(context, "chatgpt_base_url", table.chatgpt_base_url);
  if (login.issuer !== undefined) checkAddress(context, "login.issuer", login.issuer);
  return {
    issuer: (login.issuer ?? defaults["login.issuer"]).replace(/\/+$/, ""),
    clientId: login.client_id ?? defaults["login.client_id"],
    scopes: login.scopes ?? defaults["login.scopes"],
    hosts: login.hosts ?? defaults["login.hosts"],
    method: table.forced_login_method ?? null,
    storage: table.cli_auth_credentials_store ?? defaults.cli_auth_credentials_store,
  };
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
