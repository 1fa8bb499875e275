import { auth, extractWWWAuthenticateParams } from "@modelcontextprotocol/sdk/client/auth.js";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { LATEST_PROTOCOL_VERSION } from "@modelcontextprotocol/sdk/types.js";
import { resolveHeaders } from "../http/resolve-headers.ts";
import type { McpHttpServerOptions } from "../server-options.ts";
import { redact } from "../session/redact.ts";
import { toServerFault } from "../session/to-server-fault.ts";
import type { McpLoginOptions, McpLoginOutcome } from "./log-in.ts";
import { createLoginProvider } from "./login-provider.ts";
import { openLoopbackCallback } from "./loopback-callback.ts";

/** See `logInToMcpServer`. */
export async function runLogin(options: McpLoginOptions): Promise<McpLoginOutcome> {
  const { server, signal } = options;
  try {
    return await exchange(options);
  } catch (error) {
    if (signal.aborted) return { type: "cancelled" };
    return fail(server, `${toServerFault(error).message}. A server without OAuth may take a bearer_token_env_var`);
  }
}

async function exchange(options: McpLoginOptions): Promise<McpLoginOutcome> {
  const { server, tokens, signal } = options;
  const send: FetchLike = (url, init) => fetch(url, { ...init, signal });
  const state = options.createState();
  await using callback = await openLoopbackCallback(options.callbackPort ?? 0, state);
  const provider = createLoginProvider({ ...options, ...callback, address: server.address, state });
  const request = { ...(await askForChallenge(server, send)), serverUrl: server.url.reveal(), fetchFn: send };

  await auth(provider, request);
  const result = await callback.wait(signal);
  if (result.type === "error") return fail(server, `the login was refused: ${result.error}`);
  await auth(provider, { ...request, authorizationCode: result.code });
  const credentials = provider.credentials();
  if (credentials === null) return fail(server, "the authorization server gave no token");
  await tokens.write(server.id, credentials);
  return { type: "logged_in" };
}

/** What the server says of its authorization server and of the scope that it wants, when it is asked without a token. */
async function askForChallenge(
  server: McpHttpServerOptions,
  send: FetchLike,
): Promise<Pick<Parameters<typeof auth>[1], "resourceMetadataUrl" | "scope">> {
  const headers = resolveHeaders(server);
  headers.set("content-type", "application/json");
  headers.set("accept", "application/json, text/event-stream");
  const params = {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: "login", version: "0" },
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  const response = await send(server.url.reveal(), { method: "POST", headers, body, redirect: "manual" });
  await response.body?.cancel();
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope !== undefined && { scope }) };
}

function fail(server: McpHttpServerOptions, reason: string): McpLoginOutcome {
  return { type: "failed", message: redact(`MCP server "${server.id}": ${reason}.`, server) };
}
