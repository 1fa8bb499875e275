import { redactSecrets, toPlainText } from "@unroll/text";
import type { ResolvedServer } from "../settings/resolved-server.ts";

/** The text of a server or a library, without the server's credentials and as plain text. */
export function redact(text: string, server: ResolvedServer): string {
  return redactSecrets(withoutQuery(toPlainText(text), server), secretsOf(server));
}

/** Removes queries even if their values are short: `fetch` and the SDK only ever name a whole query. */
function withoutQuery(text: string, server: ResolvedServer): string {
  if (server.type === "stdio") return text;
  const written = server.url.reveal();
  const { href, search, origin, pathname } = new URL(written);
  const bare = text.replaceAll(written, `${origin}${pathname}`).replaceAll(href, `${origin}${pathname}`);
  return search.length > 1 ? bare.replaceAll(search, "") : bare;
}

function secretsOf(server: ResolvedServer): readonly string[] {
  if (server.type === "stdio") return Object.values(server.env).map((secret) => secret.reveal());
  const { searchParams, username, password } = new URL(server.url.reveal());
  const headers = [...Object.values(server.headers), ...(server.bearerToken ? [server.bearerToken] : [])];
  return [...headers.map((secret) => secret.reveal()), ...searchParams.values(), username, password];
}
