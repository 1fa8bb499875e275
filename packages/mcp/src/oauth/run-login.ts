import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  LATEST_PROTOCOL_VERSION,
} from "@modelcontextprotocol/client";
import { type CallbackPage, openLoopbackCallback } from "@unroll/auth";
import { redact } from "../fault/redact.ts";
import { ServerFault } from "../fault/server-fault.ts";
import { toServerFault } from "../fault/to-server-fault.ts";
import { type ResolvedService, resolveService } from "../settings/resolved-server.ts";
import { discoverLegacy } from "./legacy-discovery.ts";
import type { McpLoginOptions, McpLoginOutcome } from "./login-options.ts";
import { createLoginProvider, type LoginProviderOptions } from "./login-provider.ts";
import { createNamedHosts, type NamedHosts } from "./named-hosts.ts";
import { toRequestHeaders } from "./request-headers.ts";
import type { McpCredentials, McpTokenStore } from "./token-store.ts";

/** See `logInToMcpServer`. */
export async function runLogin(options: McpLoginOptions): Promise<McpLoginOutcome> {
  const { signal } = options;
  const server = resolveService(options.server, options.variables);
  try {
    return await exchange(server, options);
  } catch (error) {
    if (signal.aborted) return { type: "cancelled" };
    if (error instanceof ServerFault) return fail(server, error.message);
    return fail(server, `${toServerFault(error).message}. A server without OAuth may take a bearer_token_env_var`);
  }
}

async function exchange(server: ResolvedService, options: McpLoginOptions): Promise<McpLoginOutcome> {
  const { tokens, signal } = options;
  const hosts = createNamedHosts({ ...options, address: server.address });
  const state = options.createState();
  await using callback = await openLoopbackCallback({
    ports: [options.callbackPort ?? 0],
    host: "127.0.0.1",
    path: "/callback",
    state,
  });
  let opening = Promise.resolve();
  const openPage = async (url: string): Promise<void> => {
    await hosts.check(new URL(url));
    opening = options.openPage(url);
    opening.catch(() => {}); // the wait below handles it
  };
  const { redirectUrl } = callback;
  const client = findClient(options);
  const clientMetadataUrl = server.oauth?.clientMetadataUrl ?? null;
  const who = { ...options, redirectUrl, client, clientMetadataUrl };
  const provider = createLoginProvider({ ...who, openPage, address: server.address, state });
  const challenge = await askForChallenge(server, hosts);
  const scope = chooseScope(server, challenge.scope, await readEarlier(server, tokens));
  const request = {
    ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
    ...(scope !== null && { scope }),
    serverUrl: server.url.reveal(),
    fetchFn: hosts.fetch,
  };

  try {
    await auth(provider, request);
  } catch (error) {
    if (!(await discoverLegacy(error, provider, request))) throw error;
    await auth(provider, request);
  }
  const visit = await callback.wait(opening, signal);
  return await visit.settle(async () => {
    if (visit.result.type === "error") return fail(server, `the login was refused: ${visit.result.error}`);
    const iss = visit.parameters.get("iss");
    await auth(provider, { ...request, authorizationCode: visit.result.code, ...(iss !== null && { iss }) });
    const credentials = provider.credentials();
    if (credentials === null) return fail(server, "the authorization server gave no token");
    return { type: "logged_in", notices: await tokens.write(server.id, credentials) };
  }, toPage);
}

/** Throws `ServerFault` `not_started` if its secret is missing. */
function findClient({ server, variables }: McpLoginOptions): LoginProviderOptions["client"] {
  const { clientId = null, clientSecretEnvVar = null } = server.oauth ?? {};
  if (clientId === null) return null;
  if (clientSecretEnvVar === null) return { id: clientId, secret: null };
  const secret = variables.credential(clientSecretEnvVar);
  if (secret !== null) return { id: clientId, secret: secret.reveal() };
  throw new ServerFault("not_started", `${clientSecretEnvVar} is not set: it must hold the secret of its OAuth client`);
}

/** Null also if it cannot be read: writing the new one will report that. */
async function readEarlier(server: ResolvedService, tokens: McpTokenStore): Promise<McpCredentials | null> {
  try {
    const earlier = await tokens.read(server.id);
    return earlier?.address === server.address ? earlier : null;
  } catch (error) {
    if (error instanceof ServerFault) return null;
    throw error;
  }
}

/** If the server demanded more scope than an earlier login had, both are requested. */
function chooseScope(
  server: ResolvedService,
  challenged: string | undefined,
  earlier: McpCredentials | null,
): string | null {
  const named = server.oauth?.scopes?.join(" ") ?? challenged;
  if (earlier === null || earlier.wantedScope === null) return named ?? null;
  return computeScopeUnion(named, earlier.tokens.scope, earlier.wantedScope) ?? null;
}

/** The page that the browser shows at the end. */
function toPage(outcome: McpLoginOutcome): CallbackPage {
  if (outcome.type === "logged_in") {
    return { outcome: "good", title: "You are logged in", text: "Close this page and go back to the terminal." };
  }
  return { outcome: "bad", title: "You are not logged in", text: "The terminal says why." };
}

/** The server's response to a request without a token: its authorization server and its scope. */
async function askForChallenge(
  server: ResolvedService,
  hosts: NamedHosts,
): Promise<ReturnType<typeof extractWWWAuthenticateParams>> {
  const headers = toRequestHeaders(server);
  headers.set("content-type", "application/json");
  headers.set("accept", "application/json, text/event-stream");
  let response: Response | null = null;
  for (const request of [listRequest, greeting]) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 0, ...request });
    response = await hosts.fetch(server.url.reveal(), { method: "POST", headers, body });
    await response.body?.cancel();
    if (response.status === 401) break;
  }
  return response === null ? {} : extractWWWAuthenticateParams(response);
}

/**
 * Some servers greet everybody and require a login only afterwards. This request opens nothing that
 * would have to be closed.
 */
const listRequest = { method: "tools/list", params: {} };
const greeting = {
  method: "initialize",
  params: {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: "login", version: "0" },
  },
};

function fail(server: ResolvedService, reason: string): McpLoginOutcome {
  return { type: "failed", message: redact(`MCP server "${server.id}": ${reason}.`, server) };
}
