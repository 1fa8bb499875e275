import { inspect } from "node:util";
import { listNamedSecrets, listSecretValues, resolveCredential } from "@unroll/config";
import { expect, test } from "vitest";
import { createTempHome, override } from "./temp-home.ts";

const secret = "s3cr3t-value";
const config = `
model_provider = "a"
[model_providers.a]
base_url = "http://localhost/v1"
experimental_bearer_token = "${secret}"
query_params = { code = "${secret}" }
http_headers = { X-Api-Key = "${secret}" }
[model_providers.b]
env_key = "B_KEY"
env_http_headers = { X-Key = "B_HEADER" }
[mcp_servers.stdio]
command = "server"
env = { TOKEN = "${secret}" }
[mcp_servers.http]
url = "https://host/mcp?key=${secret}#x"
bearer_token_env_var = "MCP_TOKEN"
http_headers = { Authorization = "Bearer ${secret}" }
`;

test("a credential in the file is in no dump of the configuration", async () => {
  await using home = await createTempHome({ "config.toml": config });
  const loaded = await home.load({ env: { OPENAI_API_KEY: secret, B_KEY: secret } });
  for (const dump of [
    JSON.stringify(loaded),
    inspect(loaded, { depth: null, showHidden: true }),
    JSON.stringify([...loaded.origins]),
  ]) {
    expect(dump).not.toContain(secret);
  }
  expect(String(loaded.provider.bearerToken)).toBe("[secret]");
  expect(resolveCredential(loaded.provider, {})).toMatchObject({ token: secret });
  expect(loaded.mcpServers).toMatchObject([{ id: "stdio" }, { id: "http", address: "https://host/mcp" }]);
  const [stdio, http] = loaded.mcpServers;
  expect(stdio?.type === "stdio" && stdio.env["TOKEN"]?.reveal()).toBe(secret);
  expect(http?.type === "http" && http.url.reveal()).toBe(`https://host/mcp?key=${secret}#x`);
});

test.for([
  `[model_providers.a]\nexperimental_bearer_token = "${secret}`,
  `[model_providers.a]\nexperimental_bearer_token = "${secret}\\n"`,
  `[model_providers.a]\nenv_key = "sk-${secret}"`,
  `[model_providers.a]\nhttp_headers = { "Authorization: ${secret}" = "x" }`,
  `[model_providers.a]\nhttp_headers = "${secret}"`,
  `model_provider = "a"\n[model_providers.a]\nbase_url = "https://x:${secret}@host"`,
  `[mcp_servers.a]\nurl = "ftp://${secret}"`,
  `[mcp_servers.a]\nenv_vars = ["TOKEN=${secret}"]`,
])("an error shows no credential: %j", async (text) => {
  await using home = await createTempHome({ "config.toml": text });
  const error = await home.loadError();
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(secret);
  expect(JSON.stringify(error)).not.toContain(secret);
});

test("the names of all variables with credentials are known, of providers and servers not in use, too", async () => {
  await using home = await createTempHome({ "config.toml": config });
  const loaded = await home.load();
  expect([...loaded.secretNames].sort()).toEqual([
    "AZURE_OPENAI_API_KEY",
    "B_HEADER",
    "B_KEY",
    "CODEX_API_KEY",
    "MCP_TOKEN",
    "OPENAI_API_KEY",
    "OPENAI_ORGANIZATION",
    "OPENAI_PROJECT",
    "UNROLL_QUEUE",
    "UNROLL_STORE",
  ]);
  const env = { B_KEY: " from-the-environment\n", MCP_TOKEN: "short", HOME: "/home/somebody" };
  expect(listSecretValues(loaded, env)).toEqual(["from-the-environment", secret]);
});

test("a command cannot read the logins, nor a config file that holds a credential", async () => {
  await using home = await createTempHome({ "config.toml": config });
  await using harmless = await createTempHome({
    "config.toml": `[model_providers.b]\nenv_key = "B_KEY"\n[mcp_servers.a]\ncommand = "x"\nenv = { LOG = "1" }`,
  });
  await using keyed = await createTempHome({ "config.toml": `[mcp_servers.a]\nurl = "https://host/mcp?key=abc"` });
  const logins = ({ path }: { readonly path: string }): readonly string[] =>
    ["auth.json", "mcp-tokens"].map((name) => `${path}/.codex/${name}`);
  expect((await home.load()).sandboxSettings.denyRead).toEqual([...logins(home), home.configFile]);
  expect((await keyed.load()).sandboxSettings.denyRead).toEqual([...logins(keyed), keyed.configFile]);
  expect((await harmless.load()).sandboxSettings.denyRead).toEqual(logins(harmless));
  const shadowing = [override("mcp_servers.a.url", "https://host/mcp")];
  expect((await keyed.load({ overrides: shadowing })).sandboxSettings.denyRead).toContain(keyed.configFile);
});

test("what is masked has names: our own keys, those in the config, and variables that look like one", async () => {
  await using home = await createTempHome({
    "config.toml": `
model_provider = "a"
[model_providers.a]
base_url = "http://localhost/v1"
experimental_bearer_token = "inline-1"
http_headers = { X-Api-Key = "header-1", X-Team = "team-name-1" }
query_params = { api-key = "query-12", api-version = "2025-01-01" }
[model_providers.b]
env_key = "B_CREDENTIAL"
[mcp_servers.github]
command = "server"
env = { GITHUB_TOKEN = "ghp_12345", KEY_FILE = "/home/me/key.pem", KEY_MODE = "readonly", LOG_LEVEL = "debugging-1" }
[mcp_servers.web]
url = "https://host/mcp?token=param-12&page=page-123"
http_headers = { Authorization = "Bearer bearer-1" }
[shell_environment_policy]
set = { DEPLOY_TOKEN = "deploy-1" }
`,
  });
  const loaded = await home.load();
  const env = {
    NPM_TOKEN: "npm_12345",
    AWS_SECRET_ACCESS_KEY: "aws/12345",
    B_CREDENTIAL: " from-the-environment\n",
    OPENAI_API_KEY: "short",
    SSH_KEY_PATH: "/home/me/.ssh/id",
    KEYBOARD: "us-international",
    SAME_TOKEN: "npm_12345",
    EDITOR: "editor-12",
  };
  const expected = [
    { name: "B_CREDENTIAL", value: "from-the-environment" },
    { name: "AWS_SECRET_ACCESS_KEY", value: "aws/12345" },
    { name: "NPM_TOKEN", value: "npm_12345" },
    { name: "a.bearer_token", value: "inline-1" },
    { name: "a.X-Api-Key", value: "header-1" },
    { name: "a.api-key", value: "query-12" },
    { name: "github.GITHUB_TOKEN", value: "ghp_12345" },
    { name: "web.token", value: "param-12" },
    { name: "web.Authorization", value: "bearer-1" },
    { name: "shell_environment_policy.DEPLOY_TOKEN", value: "deploy-1" },
  ];
  expect(listNamedSecrets(loaded, env)).toEqual(expected);
  const reversed = Object.fromEntries(Object.entries(env).toReversed());
  expect(listNamedSecrets(loaded, reversed)).toEqual(expected);
});
