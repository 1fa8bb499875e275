import { join } from "node:path";
import { expect, test } from "vitest";
import { setConfigKey } from "@unroll/config/upkeep";
import { createTempHome, override } from "./temp-home.ts";

test("every setting arrives", async () => {
  await using home = await createTempHome({
    "config.toml": `model = "gpt-5.1"
model_context_window = 400_000
model_reasoning_effort = "none"
model_reasoning_summary = "none"
model_verbosity = "low"
model_instructions_file = "instructions.md"
developer_instructions = "Be brief."
service_tier = "flex"
approval_policy = "untrusted"
command_timeout_ms = 1000
tool_output_token_limit = 5
shell_tool = "shell"
mask_secrets = false
web_search = "live"
project_doc_max_bytes = 0
project_doc_fallback_filenames = ["CLAUDE.md"]
hide_agent_reasoning = true
allow_login_shell = false
[history]
persistence = "none"
[shell_environment_policy]
inherit = "core"
ignore_default_excludes = true
exclude = ["AWS_*"]
set = { CI = "1" }
include_only = ["PATH"]
`,
  });
  expect(await home.load()).toMatchObject({
    model: "gpt-5.1",
    modelFamily: { id: "gpt-5", contextWindow: 400_000, toolOutputTokens: 5, shellTool: "shell" },
    reasoningEffort: "none",
    reasoningSummary: "none",
    verbosity: "low",
    modelInstructionsFile: join(home.path, ".codex", "instructions.md"),
    developerInstructions: "Be brief.",
    serviceTier: "flex",
    approvalPolicy: "untrusted",
    commandTimeoutMs: 1000,
    maskSecrets: false,
    webSearchMode: "live",
    projectDocMaxBytes: 0,
    projectDocFallbackFilenames: ["CLAUDE.md"],
    historyPersistence: "none",
    hideAgentReasoning: true,
    allowLoginShell: false,
    terminal: {
      animations: true,
      notificationMethod: "auto",
      notifications: true,
      notify: [],
      statusLine: null,
      theme: "auto",
      titleParts: ["state"],
      vimModeDefault: false,
      keymap: {},
    },
    shellEnvironmentPolicy: {
      inherit: "core",
      ignoreDefaultExcludes: true,
      exclude: ["AWS_*"],
      set: { CI: "1" },
      includeOnly: ["PATH"],
    },
    warnings: [],
  });
});

test("a time limit that the command tool does not know gives a warning", async () => {
  await using home = await createTempHome({ "config.toml": 'model = "gpt-5.5"\ncommand_timeout_ms = 1000' });
  const { modelFamily, warnings } = await home.load();
  expect(modelFamily).toMatchObject({ id: "gpt-5", shellTool: "exec_command" });
  expect(warnings).toMatchObject([{ code: "value_ignored", key: "command_timeout_ms" }]);
  const { warnings: none } = await home.load({ overrides: [override("shell_tool", "shell_command")] });
  expect(none).toEqual([]);
});

test("the sandbox policy has absolute paths: from the file's folder, the working folder, home", async () => {
  await using home = await createTempHome({
    "config.toml": `[sandbox_workspace_write]
writable_roots = ["cache", "~/data", "/abs/./x"]
network_access = true
exclude_slash_tmp = true
exclude_tmpdir_env_var = true
git = "protected"
[sandbox]
allow_weaker = true
deny_read = ["~", "/etc/shadow"]
max_processes = 0
max_memory_mb = 2048
max_total_memory_mb = 0
`,
  });
  const flags = { sandboxMode: "workspace-write", addDirs: ["../more", "/abs/x"] } as const;
  const { sandboxSettings } = await home.load({ flags });
  expect(sandboxSettings).toEqual({
    mode: "workspace-write",
    networkAccess: true,
    writableRoots: [join(home.path, ".codex", "cache"), join(home.path, "data"), "/abs/x", join(home.path, "more")],
    excludeSlashTmp: true,
    excludeTmpdirEnvVar: true,
    git: "protected",
    denyRead: [
      join(home.path, ".codex", "auth.json"),
      join(home.path, ".codex", "mcp-tokens"),
      home.path,
      "/etc/shadow",
    ],
    allowWeaker: true,
    limits: { maxProcesses: null, maxMemoryMb: 2048, maxTotalMemoryMb: null },
  });
  const { sandboxSettings: overridden } = await home.load({
    overrides: [override("sandbox_workspace_write.writable_roots", `["here"]`)],
  });
  expect(overridden.writableRoots).toEqual([join(home.path, "project", "here")]);
});

test.for([
  ["untrusted", `"untrusted"`, "untrusted", null],
  ["nothing", "{ granular = {} }", "never", { rules: false, mcp: false }],
  ["rules alone", "{ granular = { rules = true } }", "never", { rules: true, mcp: false }],
  ["ways out of the sandbox", "{ granular = { sandbox_approval = true } }", "on-request", { rules: false, mcp: false }],
  [
    "all",
    "{ granular = { sandbox_approval = true, rules = true, mcp_elicitations = true } }",
    "on-request",
    { rules: true, mcp: true },
  ],
  [
    "tools alone",
    "{ granular = { mcp_elicitations = true, skill_approval = true } }",
    "never",
    { rules: false, mcp: true },
  ],
] as const)("the approval policy that asks about %s", async ([, policy, approvalPolicy, approvalQuestions]) => {
  await using home = await createTempHome({ "config.toml": `approval_policy = ${policy}\n` });
  expect(await home.load()).toMatchObject({ approvalPolicy, approvalQuestions, warnings: [] });
});

test("an impossible granular policy is an error", async () => {
  await using home = await createTempHome();
  const set = (value: string) => ({ overrides: [override("approval_policy", value)] });
  expect((await home.loadError(set("{ granular = { sandbox_aproval = true } }"))).message).toContain(
    "unknown key approval_policy.granular.sandbox_aproval",
  );
  expect((await home.loadError(set("{ granular = { rules = 1 } }"))).message).toContain(
    "granular.rules must be true or false",
  );
  expect((await home.loadError(set("{ granulated = {} }"))).message).toContain(
    "approval_policy.granular must be a table",
  );
});

test.for([
  ["max", 0],
  ["ultra", 0],
  ["persistent", 0],
  ["tremendous", 1],
] as const)(
  "the effort %s is sent as it is to a model that nobody knows, with %d warnings",
  async ([effort, count]) => {
    await using home = await createTempHome({ "config.toml": `model_reasoning_effort = "${effort}"\n` });
    const { reasoningEffort, warnings } = await home.load({ flags: { model: "next-month" } });
    expect(reasoningEffort).toBe(effort);
    const told = Array.from({ length: count }, () => "effort_unknown");
    expect(warnings.map(({ code }) => code)).toEqual(["model_unknown", ...told]);
  },
);

test("--add-dir without a writable sandbox gives a warning", async () => {
  await using home = await createTempHome();
  expect((await home.load({ flags: { addDirs: ["x"] } })).warnings).toEqual([
    {
      code: "add_dir_without_effect",
      message: "--add-dir has no effect in the sandbox mode read-only: use workspace-write.",
    },
  ]);
});

test.for([
  ["gpt-5", "gpt-5"],
  ["gpt-5.2", "gpt-5"],
  ["gpt-5-mini", "gpt-5"],
  ["gpt-5-codex-mini", "gpt-5-codex"],
  ["gpt-5.1-codex-max", "gpt-5-codex"],
  ["gpt-oss:20b", "gpt-oss"],
  ["openai/gpt-oss-120b", "gpt-oss"],
  ["unroll-demo", "unroll-demo"],
] as const)("the model %s is of the family %s", async ([model, id]) => {
  await using home = await createTempHome();
  const loaded = await home.load({ flags: { model } });
  expect({ id: loaded.modelFamily.id, warnings: loaded.warnings }).toEqual({ id, warnings: [] });
});

test("an unknown model gets the default family and a warning", async () => {
  await using home = await createTempHome();
  const { modelFamily, warnings } = await home.load({ flags: { model: "llama-4" } });
  expect(modelFamily).toEqual({
    id: "default",
    contextWindow: 128_000,
    windowOrigin: "guess",
    supportsReasoning: false,
    efforts: null,
    supportsReasoningSummaries: true,
    supportsVerbosity: false,
    supportsImages: true,
    supportsParallelToolCalls: false,
    applyPatchTool: "function",
    shellTool: "shell_command",
    toolOutputTokens: 10_000,
  });
  expect(warnings).toEqual([
    {
      code: "model_unknown",
      key: "model",
      origin: { type: "argument", name: "--model" },
      message:
        '--model: the model "llama-4" is unknown: it gets the general instructions and tools, and a context window of 128000 tokens, which is a guess until its server reports it. `unroll models` lists the known ones; [models.llama-4] describes this one.',
    },
  ]);
});

test("what the person sets about the model is sent, also where its family is not known to take it", async () => {
  await using home = await createTempHome();
  const overrides = [override("model_reasoning_effort", "low"), override("model_verbosity", "high")];
  expect((await home.load({ flags: { model: "llama-4" }, overrides })).modelFamily).toMatchObject({
    supportsReasoning: true,
    supportsVerbosity: true,
  });
});

test("MCP servers of both kinds, with defaults and without", async () => {
  await using home = await createTempHome({
    "config.toml": `[mcp_servers.plain]
command = "server"
[mcp_servers.full]
command = "npx"
args = ["-y", ""]
env_vars = ["PATH"]
cwd = "servers"
enabled = false
required = true
startup_timeout_sec = 1.5
tool_timeout_sec = 600
enabled_tools = ["a", "b"]
disabled_tools = ["b"]
default_tools_approval_mode = "prompt"
[mcp_servers.full.tools.a]
approval_mode = "approve"
[mcp_servers.full.tools."a b"]
approval_mode = "writes"
[mcp_servers.web]
url = "https://host/mcp"
bearer_token_env_var = "WEB_TOKEN"
oauth = { client_id = "unroll-1", client_secret_env_var = "WEB_SECRET" }
scopes = ["tools"]
env_http_headers = { X-A = "A" }
`,
  });
  const common = {
    enabled: true,
    required: false,
    startupTimeoutMs: 10_000,
    toolTimeoutMs: 60_000,
    enabledTools: null,
    disabledTools: [],
    approvalMode: "auto",
    toolApprovalModes: {},
  };
  const { mcpServers } = await home.load();
  expect(mcpServers).toEqual([
    { ...common, type: "stdio", id: "plain", command: "server", args: [], env: {}, envVars: [], cwd: null },
    {
      type: "stdio",
      id: "full",
      command: "npx",
      args: ["-y", ""],
      env: {},
      envVars: ["PATH"],
      cwd: join(home.path, ".codex", "servers"),
      enabled: false,
      required: true,
      startupTimeoutMs: 1500,
      toolTimeoutMs: 600_000,
      enabledTools: ["a", "b"],
      disabledTools: ["b"],
      approvalMode: "prompt",
      toolApprovalModes: { a: "approve", "a b": "writes" },
    },
    {
      ...common,
      type: "http",
      id: "web",
      url: expect.anything(),
      address: "https://host/mcp",
      bearerTokenEnvVar: "WEB_TOKEN",
      httpHeaders: {},
      envHttpHeaders: { "X-A": "A" },
      oauth: {
        clientId: "unroll-1",
        clientSecretEnvVar: "WEB_SECRET",
        clientMetadataUrl: null,
        scopes: ["tools"],
      },
    },
  ]);
});

const loginFault =
  "has a url with a user name or password: put the credential into a variable and name it in bearer_token_env_var or env_http_headers";

test.for([
  ["enabled = true", "has neither command (a program to start) nor url (an address): add one of them"],
  [`command = "a"\nurl = "http://b"`, "has both command and url: remove one of them"],
  [`command = "a"\nhttp_headers = {}`, "has http_headers, which does not work with command: remove it"],
  [`url = "http://b"\nargs = []`, "has args, which does not work with url: remove it"],
  [`url = "stdio:x"`, "has a url that does not start with http:// or https://: correct it"],
  [`url = "https://u:pw@h.invalid/mcp"`, loginFault],
  [`url = "https://token@h.invalid/mcp"`, loginFault],
])("an MCP server that cannot be: %j", async ([lines, fault]) => {
  await using home = await createTempHome({ "config.toml": `\n[mcp_servers."a b"]\n${lines}` });
  expect(await home.loadError()).toMatchObject({
    code: "mcp_server_invalid",
    key: 'mcp_servers."a b"',
    message: `${home.configFile}:2:1: [mcp_servers."a b"] ${fault}.`,
  });
});

test("limits arrive with their units, 0 lifts one, and a flag wins over the files", async () => {
  await using home = await createTempHome({
    "config.toml": `[budget]
max_turns = 5
max_tokens = 1_000
max_cost = 2.5
max_time_sec = 90
thread.max_cost = 10
[repeated_calls]
nudge_after = 0
`,
  });
  const { budget, repeatedCalls } = await home.load({ overrides: [override("budget.max_tokens", "0")] });
  expect(budget).toEqual({
    run: { maxTurns: 5, maxTokens: null, maxCost: 2.5, maxTimeMs: 90_000 },
    thread: { maxTurns: null, maxTokens: null, maxCost: 10, maxTimeMs: null },
  });
  expect(repeatedCalls).toEqual({ nudgeAfter: null, stopAfter: 10 });
  await expect(home.load({ overrides: [override("budget.max_turns", "1.5")] })).rejects.toThrow(
    "must be a whole number",
  );
  await expect(home.load({ overrides: [override("budget.max_cost", "-1")] })).rejects.toThrow("must be at least 0");
});

test("rules for skills arrive with whole paths, and the trust of the project is known", async () => {
  await using home = await createTempHome({
    "config.toml": `[skills]
include_instructions = false
[[skills.config]]
path = "skills/zip"
enabled = false
[[skills.config]]
name = "pdf"
enabled = true
[[skills.config]]
enabled = false
`,
  });
  const project = join(home.path, "project");
  const key = `projects.${JSON.stringify(project)}.trust_level`;
  const { skills, projectTrust, warnings } = await home.load({ overrides: [override(key, "untrusted")] });
  expect(skills).toEqual({
    isListed: false,
    rules: [
      { isEnabled: false, path: join(home.path, ".codex/skills/zip") },
      { isEnabled: true, name: "pdf" },
    ],
  });
  expect([projectTrust, warnings]).toEqual(["untrusted", []]);
});

test("a pattern in sandbox.deny_read is an error, and a path whose folder really has such a name is none", async () => {
  const config = '[sandbox]\ndeny_read = [".env", "../project/[id]/.env", "../project/**/.env"]\n';
  await using home = await createTempHome({ "config.toml": config, "project/[id]/page": "" });
  const error = await home.loadError();
  expect(error).toMatchObject({ code: "value_invalid", key: "sandbox.deny_read", line: 2 });
  expect(error.message).toContain(`${home.path}/project/**/.env does not exist`);
  const set = (text: string): Promise<void> => setConfigKey(home.configFile, "sandbox.deny_read", text);
  await expect(set('["**/.env"]')).rejects.toMatchObject({ code: "value_invalid" });
  await set('["../project/[id]/.env"]');
  expect((await home.load()).sandboxSettings.denyRead).toContain(`${home.path}/project/[id]/.env`);
});
