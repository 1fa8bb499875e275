import { redactSecrets, toPlainText } from "@unroll/text";
import type { ResolvedServer } from "../settings/resolved-server.ts";

/** What a server or a library says, without the credentials of the server and as plain text. */
export function redact(text: string, server: ResolvedServer): string {
  return redactSecrets(toPlainText(text), secretsOf(server));
}

function secretsOf(server: ResolvedServer): readonly string[] {
  if (server.type === "stdio") return Object.values(server.env).map((secret) => secret.reveal());
  const { searchParams, username, password } = new URL(server.url.reveal());
  const headers = [...Object.values(server.headers), ...(server.bearerToken ? [server.bearerToken] : [])];
  return [...headers.map((secret) => secret.reveal()), ...searchParams.values(), username, password];
}
