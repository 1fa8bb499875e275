// Writes codex-app-server.json: the app-server protocol of the Codex CLI, as it generates it, in one file and without its descriptions.
//
//   node conformance/front-ends/write-app-server-schema.mjs CODEX
//
// Experimental methods are in it, because clients use them. The program names the type of each method's parameters; the type of its result has the
// same name, with the exceptions below.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [codex] = process.argv.slice(2);
if (codex === undefined) throw new Error("usage: node conformance/front-ends/write-app-server-schema.mjs CODEX");
const folder = mkdtempSync(join(tmpdir(), "unroll-schema-"));

/** Methods without parameters, and those whose result has another name. */
const results = {
  "account/gatewayOAuth/cancel": "GatewayOAuthCancelResponse",
  "account/gatewayOAuth/login": "GatewayOAuthLoginResponse",
  "account/gatewayOAuth/read": "GatewayOAuthReadResponse",
  "account/logout": "LogoutAccountResponse",
  "account/rateLimits/read": "GetAccountRateLimitsResponse",
  "account/securitySetup/read": "GetAccountSecuritySetupResponse",
  "account/usage/read": "GetAccountTokenUsageResponse",
  "account/workspaceMessages/read": "GetWorkspaceMessagesResponse",
  "accountSession/list": "AccountSessionsResponse",
  "config/batchWrite": "ConfigWriteResponse",
  "config/mcpServer/reload": "McpServerRefreshResponse",
  "config/value/write": "ConfigWriteResponse",
  "configRequirements/read": "ConfigRequirementsReadResponse",
  "externalAgentConfig/import/readHistories": "ExternalAgentConfigImportHistoriesReadResponse",
  "memory/reset": "MemoryResetResponse",
  "remoteControl/disable": "RemoteControlDisableResponse",
  "remoteControl/enable": "RemoteControlEnableResponse",
  "remoteControl/status/read": "RemoteControlStatusReadResponse",
  "rollout/compress": "RolloutCompressResponse",
  "windowsSandbox/readiness": "WindowsSandboxReadinessResponse",
};

try {
  const run = (...args) => execFileSync(resolve(codex), args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, CODEX_HOME: folder } });
  const version = run("--version").trim();
  run("app-server", "generate-json-schema", "--experimental", "--out", folder);
  const { v2, ...others } = read("codex_app_server_protocol.schemas.json").definitions;
  const definitions = toPlain({ ...others, ...v2 });
  for (const union of ["ClientRequest", "ServerRequest", "ServerNotification", "ClientNotification"]) delete definitions[union];
  const [requests, asked, told] = [listMethods("ClientRequest"), listMethods("ServerRequest"), listMethods("ServerNotification")];
  const written = {
    source: `${version} app-server generate-json-schema --experimental; Copyright OpenAI; Apache-2.0; without descriptions, by write-app-server-schema.mjs`,
    clientRequests: mapMethods(requests, (params, method) => ({ params, result: toResult(params, method) })),
    serverRequests: mapMethods(asked, (params) => ({ params, result: toResult(params) })),
    notifications: mapMethods(told, (params) => params),
    definitions: {},
  };
  const needed = listNeeded(written, definitions);
  written.definitions = Object.fromEntries([...needed].toSorted((a, b) => (a < b ? -1 : 1)).map((name) => [name, definitions[name]]));
  writeFileSync(join(import.meta.dirname, "codex-app-server.json"), toLines(written));
  console.log(`${version}: ${requests.length} methods, ${asked.length} requests of the server, ${told.length} notifications, ${needed.size} types`);
} finally {
  rmSync(folder, { recursive: true });
}

function read(name) {
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

/** Each method with the schema of its parameters. */
function listMethods(union) {
  return read(`${union}.json`).oneOf.map(({ properties: { method, params } }) => [method.enum[0], toPlain(params ?? { type: "null" })]);
}

function mapMethods(methods, map) {
  return Object.fromEntries(methods.map(([method, params]) => [method, map(params, method)]));
}

function toResult(params, method) {
  const name = results[method] ?? params.$ref.split("/").at(-1).replace(/Params$/, "Response");
  return { $ref: `#/definitions/${name}` };
}

/** Without what people read; all types in one table. */
function toPlain(value) {
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name, member]) => !(["title", "description", "$schema"].includes(name) && typeof member === "string"));
  return Object.fromEntries(members.map(([name, member]) => [name, name === "$ref" ? member.replace("/v2/", "/") : toPlain(member)]));
}

/** The names of all types that the methods use. */
function listNeeded(written, definitions) {
  const [needed, open] = [new Set(), [written]];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const [, name] of JSON.stringify(next).matchAll(/"#\/definitions\/(\w+)"/g)) {
      if (needed.has(name)) continue;
      if (definitions[name] === undefined) throw new Error(`There is no type ${name}.`);
      needed.add(name);
      open.push(definitions[name]);
    }
  return needed;
}

/** One line for each method and type, so that a later version shows what it changed. */
function toLines(written) {
  const tables = Object.entries(written).map(([name, table]) => {
    const shown = typeof table === "string" ? JSON.stringify(table) : `{\n${Object.entries(table).map(toLine).join(",\n")}\n}`;
    return `${JSON.stringify(name)}: ${shown}`;
  });
  return `{\n${tables.join(",\n")}\n}\n`;
}

function toLine([name, value]) {
  return `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
}
