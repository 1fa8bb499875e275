// The client that the public suite lets loose on its servers: ours, as a thread uses it. Argument: the server's URL.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSecretStore } from "../../packages/auth/src/index.ts";
import { createMcpTokenStore, logInToMcpServer, openMcpPool } from "../../packages/mcp/src/index.ts";

/** For each wait: a bound for what hangs, on a busy machine too. */
const longestMs = 120_000;
const address = process.argv[2];
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const folder = await mkdtemp(join(tmpdir(), "unroll-mcp-conformance-"));
const secret = (value) => ({ reveal: () => value });
const variables = { programEnvironment: () => ({}), credential: (name) => (name === "CLIENT_SECRET" ? secret(context.client_secret) : null) };
const tokens = createMcpTokenStore(
  openSecretStore({ codexHome: folder, storage: "file", folder: join(folder, "tokens"), service: "conformance", setting: "mcp_oauth_credentials_store" }),
);
const { origin, pathname } = new URL(address);
const server = {
  type: "http",
  id: "conformance",
  url: secret(address),
  address: `${origin}${pathname}`,
  httpHeaders: {},
  envHttpHeaders: {},
  bearerTokenEnvVar: null,
  oauth: { clientId: context.client_id ?? null, clientSecretEnvVar: context.client_secret === undefined ? null : 'CLIENT_SECRET', clientMetadataUrl: 'https://conformance-test.local/client-metadata.json', scopes: null },
  enabled: true,
  required: false,
  startupTimeoutMs: longestMs,
  toolTimeoutMs: longestMs,
  enabledTools: null,
  disabledTools: [],
  approvalMode: "auto",
  toolApprovalModes: {},
};

try {
  await useTools();
} finally {
  await rm(folder, { recursive: true });
}

/** As a person with a browser would: the suite's page says yes at once. */
async function logIn() {
  const outcome = await logInToMcpServer({
    server,
    variables,
    tokens,
    clientName: "unroll",
    openPage: async (page) => void (await fetch(page)).body?.cancel(),
    createState: randomUUID,
    signal: AbortSignal.timeout(longestMs),
  });
  if (outcome.type !== "logged_in") throw new Error(outcome.message ?? outcome.type);
}

/** Lists the tools and calls each; where a login is wanted, once more after it. */
async function useTools() {
  for (let logins = 0; ; logins += 1) {
    const failure = await attempt();
    if (failure === null) return;
    if (!["login_needed", "scope_needed"].includes(failure.code) || logins === 3) throw new Error(failure.message);
    await logIn();
  }
}

async function attempt() {
  await using pool = openMcpPool({
    servers: [server],
    variables,
    cwd: folder,
    roots: [folder],
    clientInfo: { name: "unroll", version: "1" },
    logDirectory: join(folder, "logs"),
    tokens,
    newId: randomUUID,
    elapsed: () => performance.now(),
  });
  const signal = AbortSignal.timeout(25_000);
  const view = pool.join({
    elicit: async ({ fields }) => ({
      type: "accepted",
      values: Object.fromEntries(fields.filter(({ defaultValue }) => defaultValue !== null).map(({ name, defaultValue }) => [name, defaultValue])),
    }),
  });
  const failures = [];
  view.onEvent((event) => {
    if (event.type === "mcp.server_updated" && event.state.type === "failed") failures.push(event.state);
  });
  const readiness = await view.whenReady({ graceMs: 0, waitForAll: true, signal });
  if (failures.length > 0) return failures[0].failure ?? failures[0];
  for (const tool of readiness.tools) {
    const wanted = (context.toolCalls ?? []).filter(({ name }) => name === tool.tool).map(({ arguments: input }) => input);
    for (const input of wanted.length > 0 ? wanted : [exampleOf(tool.parameters)]) {
      const outcome = await view.call({ server: server.id, tool: tool.tool, arguments: input }, { signal, onProgress: () => {} });
      console.log(JSON.stringify(outcome));
      if (outcome.type === "failed" && ["login_needed", "scope_needed"].includes(outcome.code)) return outcome;
    }
  }
  return null;
}

/** Arguments that fit a tool's schema. */
function exampleOf(schema) {
  const examples = { string: "text", number: 2, integer: 3, boolean: true, array: [], object: {} };
  return Object.fromEntries(Object.entries(schema?.properties ?? {}).map(([name, { type, default: given, enum: words }]) => [name, given ?? words?.[0] ?? examples[type] ?? "text"]));
}
