import type { ResolvedServer } from "../settings/resolved-server.ts";

/** Shorter values are too likely to be part of something else. */
const minSecretLength = 6;

/** What a server or a library says, without the credentials of the server and without control characters. */
export function redact(text: string, server: ResolvedServer): string {
  const visible = text.replaceAll(/[^\P{Cc}\n\t]/gu, "");
  return secretsOf(server)
    .filter((value) => value.length >= minSecretLength)
    .toSorted((left, right) => right.length - left.length)
    .reduce((result, value) => result.replaceAll(value, "[secret]"), visible);
}

function secretsOf(server: ResolvedServer): readonly string[] {
  if (server.type === "stdio") return Object.values(server.env).map((secret) => secret.reveal());
  const { searchParams, username, password } = new URL(server.url.reveal());
  const headers = [...Object.values(server.headers), ...(server.bearerToken ? [server.bearerToken] : [])];
  return [...headers.map((secret) => secret.reveal()), ...searchParams.values(), username, password];
}
