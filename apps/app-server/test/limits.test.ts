import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clientRequests } from "@unroll/app-server-protocol";
import { isRestraint } from "@unroll/protocol";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { expect, test } from "vitest";
import { openServerWorld, type TestClient, threadOf, type Told } from "./server-world.ts";

const says = (text: string) => ({ items: [{ text }] });
const touch = { items: [{ call: "exec_command", arguments: { cmd: "touch made" } }] };
const go = [{ type: "text", text: "Go" }];

async function runTurn(client: TestClient, threadId: string, own: object = {}): Promise<Told> {
  const before = client.told.length;
  const started = await client.request("turn/start", { threadId, input: go, ...own });
  expect(started.error).toBeUndefined();
  return client.find(({ method }, at) => method === "turn/completed" && at >= before);
}

test.runIf(hasSandbox)(
  "a thread with the permissions :read-only writes nothing, whatever the server was started with",
  async () => {
    const turns = [touch, says("No."), touch, says("Yes."), touch, says("No.")];
    await using world = await openServerWorld({ script: { turns } });
    const server = await world.open({ sandbox: "workspace-write", config: ['default_permissions=":workspace"'] });
    const made = (): boolean => existsSync(join(world.work, "made"));
    const started = await server.request("thread/start", { permissions: ":read-only", approvalPolicy: "never" });
    expect(started.result).toMatchObject({ sandbox: { type: "readOnly" } });
    const threadId = threadOf(started);
    await runTurn(server, threadId);
    expect(made()).toBe(false);
    await runTurn(server, threadId, { permissions: ":workspace" });
    expect(made()).toBe(true);
    expect(server.told.find(({ method }) => method === "thread/settings/updated")?.params).toMatchObject({
      threadSettings: { sandboxPolicy: { type: "workspaceWrite" } },
    });
    const resumed = await server.request("thread/resume", { threadId, permissions: ":read-only" });
    expect(resumed.result).toMatchObject({ sandbox: { type: "readOnly" } });
  },
);

test.for([
  [{ permissions: ":read-only" }, 'sandbox_mode = "workspace-write"'],
  [{ sandbox: "read-only" }, 'default_permissions = ":workspace"'],
  [{ permissions: ":read-only" }, '"sandbox_mode" = "workspace-write"'],
  [{ sandbox: "read-only" }, "'default_permissions'=:workspace"],
  [{ config: { '"sandbox_mode"': "read-only" } }, 'default_permissions = ":workspace"'],
] as const)(
  "a client that starts a thread with %j gets it, although the server was started with -c %s",
  async ([asked, option]) => {
    await using world = await openServerWorld({ script: { turns: [] } });
    const server = await world.open({ config: [option] });
    const started = await server.request("thread/start", asked);
    expect(started.result).toMatchObject({ sandbox: { type: "readOnly" } });
  },
);

test("a profile of the config decides for threads and commands, and stays with the thread in a later process", async () => {
  const config = [
    "[permissions.mine]",
    'description = "Mine."',
    'extends = ":workspace"',
    "[permissions.mine.workspace_roots]",
    '"/second" = true',
    "[permissions.unusable.filesystem]",
    '":minimal" = "read"',
  ].join("\n");
  await using world = await openServerWorld({ script: { turns: [says("One.")] } }, config);
  const server = await world.open();
  const sandbox = { type: "workspaceWrite", writableRoots: ["/second"] };
  const started = await server.request("thread/start", { permissions: "mine" });
  expect(started.result).toMatchObject({ sandbox, activePermissionProfile: { id: "mine", extends: ":workspace" } });
  const threadId = threadOf(started);
  await runTurn(server, threadId);
  const { result: listed } = await server.request("permissionProfile/list", {});
  expect((listed as { readonly data: readonly Told[] }).data.slice(3)).toEqual([
    { id: "mine", description: "Mine.", allowed: true },
    { id: "unusable", description: null, allowed: false },
  ]);
  const refused = await server.request("turn/start", { threadId, input: go, permissions: "unusable" });
  expect(refused.error?.message).toContain('permissions.unusable.filesystem does not have ":root" = "read"');
  await server.end();
  const second = await world.open();
  expect((await second.request("thread/resume", { threadId })).result).toMatchObject({ sandbox });
});

test.runIf(hasSandbox)(
  "a client's sandbox over a profile hides and closes the same after a fork and a resume",
  async () => {
    const config = '[permissions.careful]\nextends = ":workspace"\n[permissions.careful.filesystem]\n"~/den" = "deny"';
    const copy = { items: [{ call: "exec_command", arguments: { cmd: 'cat "$HOME/den/s" >> copied' } }] };
    const turns = [copy, says("No."), copy, says("No."), copy, says("No.")];
    await using world = await openServerWorld({ script: { turns } }, config);
    mkdirSync(join(world.home, "den"));
    writeFileSync(join(world.home, "den/s"), "hidden");
    const copied = (): string => readFileSync(join(world.work, "copied"), "utf8");
    const server = await world.open();
    const threadId = threadOf(
      await server.request("thread/start", { permissions: "careful", approvalPolicy: "never" }),
    );
    const sandbox = { type: "workspaceWrite", excludeSlashTmp: true, excludeTmpdirEnvVar: true };
    await runTurn(server, threadId, { sandboxPolicy: sandbox });
    expect(copied()).toBe("");
    const forked = await server.request("thread/fork", { threadId });
    expect(forked.result).toMatchObject({ sandbox });
    await runTurn(server, threadOf(forked));
    expect(copied()).toBe("");
    await server.end();
    const second = await world.open();
    expect((await second.request("thread/resume", { threadId })).result).toMatchObject({ sandbox });
    await runTurn(second, threadId);
    expect(copied()).toBe("");
  },
);

test.runIf(hasSandbox)(
  "a client that takes the config's writable folders away does so for forks and resumed threads, too",
  async () => {
    const config =
      'sandbox_mode = "workspace-write"\nsandbox_workspace_write = { writable_roots = ["~/extra"], exclude_slash_tmp = true, exclude_tmpdir_env_var = true }';
    const write = { items: [{ call: "exec_command", arguments: { cmd: 'echo x >> "$HOME/extra/made"' } }] };
    const turns = [write, says("No."), write, says("No."), write, says("No.")];
    await using world = await openServerWorld({ script: { turns } }, config);
    const extra = join(world.home, "extra");
    mkdirSync(extra);
    const server = await world.open();
    const started = await server.request("thread/start", { approvalPolicy: "never" });
    expect(started.result).toMatchObject({ sandbox: { writableRoots: [extra] } });
    const threadId = threadOf(started);
    const sandbox = { type: "workspaceWrite", writableRoots: [], excludeSlashTmp: true, excludeTmpdirEnvVar: true };
    await runTurn(server, threadId, { sandboxPolicy: sandbox });
    const forked = await server.request("thread/fork", { threadId });
    expect(forked.result).toMatchObject({ sandbox });
    await runTurn(server, threadOf(forked));
    await server.end();
    const second = await world.open();
    expect((await second.request("thread/resume", { threadId })).result).toMatchObject({ sandbox });
    await runTurn(second, threadId);
    expect(existsSync(join(extra, "made"))).toBe(false);
  },
);

const empty = { type: "workspaceWrite", writableRoots: [], networkAccess: false };

test.for([
  [["sandbox_workspace_write={writable_roots=['/b'],network_access=true}", 'sandbox_mode="workspace-write"'], empty],
  [['sandbox_mode="danger-full-access"'], empty],
  [['sandbox_mode="danger-full-access"'], { type: "readOnly" }],
  [['default_permissions=":workspace"', 'approval_policy="never"'], { type: "readOnly" }],
] as const)("no -c %j of the server widens a thread again that a client set to %j", async ([config, sandboxPolicy]) => {
  const own = 'sandbox_workspace_write.writable_roots = ["/a"]';
  await using world = await openServerWorld({ script: { turns: [says("One.")] } }, own);
  const server = await world.open({ config });
  const threadId = threadOf(await server.request("thread/start", {}));
  await runTurn(server, threadId, { sandboxPolicy, approvalPolicy: "untrusted" });
  const kept = { sandbox: sandboxPolicy, approvalPolicy: "untrusted" };
  expect((await server.request("thread/fork", { threadId })).result).toMatchObject(kept);
  await server.end();
  for (const later of [config, []]) {
    const second = await world.open({ config: later });
    expect((await second.request("thread/resume", { threadId })).result).toMatchObject(kept);
    await second.end();
  }
  const third = await world.open({ config });
  const asked = await third.request("thread/resume", { threadId, sandbox: "workspace-write" });
  expect(asked.result).toMatchObject({ sandbox: { type: "workspaceWrite" } });
});

test("a server for reading alone opens no saved thread to write, unless its client asks for that", async () => {
  await using world = await openServerWorld({ script: { turns: [says("One.")] } });
  const server = await world.open({ sandbox: "workspace-write" });
  const threadId = threadOf(await server.request("thread/start", {}));
  await runTurn(server, threadId);
  await server.end();
  const second = await world.open({ sandbox: "read-only" });
  expect((await second.request("thread/resume", { threadId })).result).toMatchObject({ sandbox: { type: "readOnly" } });
});

test("a thread whose profile the config no longer has is resumed only with other permissions", async () => {
  await using world = await openServerWorld({ script: { turns: [says("One.")] } });
  const server = await world.open({ config: ['permissions.mine.extends=":workspace"'] });
  const threadId = threadOf(await server.request("thread/start", { permissions: "mine" }));
  await runTurn(server, threadId);
  await server.end();
  const second = await world.open();
  const { error } = await second.request("thread/resume", { threadId });
  expect(error?.message).toContain('there is no permission profile "mine"');
  const resumed = await second.request("thread/resume", { threadId, permissions: ":read-only" });
  expect(resumed.result).toMatchObject({
    sandbox: { type: "readOnly" },
    activePermissionProfile: { id: ":read-only" },
  });
});

test.for([
  [{ permissions: "nonsense" }, 'permissions: there is no permission profile "nonsense": use ":read-only"'],
  [{ permissions: ":nonsense" }, 'permissions: there is no permission profile ":nonsense"'],
  [{ permissions: 5 }, "permissions: "],
  [{ permissions: ":workspace", sandbox: "read-only" }, "permissions: it cannot be combined with sandbox."],
  [{ sandboxMode: "read-only" }, 'sandboxMode: unroll does not know this limit ("read-only")'],
  [{ approvalsReviewer: "nobody" }, "approvalsReviewer: "],
  [{ deniedPaths: ["/etc"] }, "deniedPaths: "],
  [{ allowed_tools: [] }, "allowed_tools: "],
  [{ readOnly: true }, "readOnly: "],
  [{ maxTurns: 3 }, "maxTurns: "],
  [{ token_budget: 100 }, "token_budget: "],
  [{ extra: { deeper: [{ networkAccess: false }] } }, "extra.deeper[0].networkAccess: "],
  [{ approvalPolicy: { granular: { nonsense: false } } }, "approvalPolicy.granular.nonsense: "],
  [{ collaborationMode: { mode: "plan" } }, "collaborationMode.mode: "],
  [{ settings: ["x", "ReadOnly"] }, "settings[1]: "],
  [{ config: { mode: "read-only" } }, "mode"],
  [{ dynamicTools: [{ name: "x" }] }, "dynamicTools: "],
  [{ runtimeWorkspaceRoots: ["/elsewhere"] }, "runtimeWorkspaceRoots: "],
  [{ runtimeWorkspaceRoots: [] }, "runtimeWorkspaceRoots: "],
  [{ config: { sandbox_moode: "read-only" } }, "sandbox_moode"],
  [{ config: { permissions: { x: { nonsense: true } } } }, 'permissions."x.nonsense"'],
] as const)("a limit that the server does not understand is refused with its name: %j", async ([params, message]) => {
  await using world = await openServerWorld({ script: { turns: [says("One.")] } });
  const server = await world.open();
  const { error } = await server.request("thread/start", params);
  expect(error?.message).toContain(message);
  const threadId = threadOf(await server.request("thread/start", {}));
  if ("config" in params) return;
  const { sandbox: _, ...own } = { sandbox: null, ...params };
  const policy = "sandbox" in params ? { sandboxPolicy: { type: "readOnly" } } : {};
  expect((await server.request("turn/start", { threadId, input: go, ...own, ...policy })).error).toBeDefined();
});

test.for(["relative", "../up", "", "~/x"])(
  "a writable folder without an absolute path is refused: %j",
  async (folder) => {
    await using world = await openServerWorld({ script: { turns: [] } });
    const server = await world.open();
    const threadId = threadOf(await server.request("thread/start", {}));
    const sandboxPolicy = { type: "workspaceWrite", writableRoots: [world.work, folder] };
    const { error } = await server.request("turn/start", { threadId, input: go, sandboxPolicy });
    expect(error?.message).toBe("turn/start: sandboxPolicy.writableRoots[1]: an absolute path is expected");
  },
);

test("values that ask for what unroll does anyway are accepted, and null asks for nothing", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open();
  const roots = [world.work];
  const asked = { approvalsReviewer: "auto_review", dynamicTools: [], runtimeWorkspaceRoots: roots, cwd: world.work };
  const started = await server.request("thread/start", { ...asked, sandboxMode: null, config: null });
  expect(started.result).toMatchObject({ runtimeWorkspaceRoots: roots }); // clients send them back with each turn
});

test("a client hears once of each unknown member that limits nothing", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open();
  await server.request("thread/start", { config: { "features.of_the_codex_cli": false } });
  await server.request("thread/start", { unheardOf: 1, other: { x: 2 } });
  await server.request("thread/start", { unheardOf: 1 });
  await server.request("thread/loaded/list", { unheardOf: 1 });
  const mention = { byteRange: { start: 0, end: 2 }, placeholder: null }; // only for clients that show the text
  await server.request("turn/start", { threadId: "none", input: [{ ...go[0], text_elements: [mention] }] });
  await server.end();
  const warnings = server.told.filter(({ method }) => method === "warning").map(({ params }) => params?.["message"]);
  expect(warnings).toEqual([
    "thread/start: ignored unheardOf, other: unroll does not know these members.",
    "thread/loaded/list: ignored unheardOf: unroll does not know this member.",
  ]);
});

const file = new URL("../../../conformance/limits/request-members-0.169.json", import.meta.url);
const { requests } = JSON.parse(readFileSync(file, "utf8")) as {
  readonly requests: Readonly<Record<string, readonly string[]>>;
};

/** Members whose names say limit, and which limit nothing in unroll whatever their values are. */
const harmless = [
  "allowProviderModelFallback",
  "capabilities.requiredHumanApproval",
  "disabledPluginIds",
  "experimentalDisablePredictionMcp",
  "initialTurnsPage.limit",
];

test("no limit of the Codex CLI's requests is dropped in silence", async () => {
  await using world = await openServerWorld({ script: { turns: [says("One.")] } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", {}));
  await runTurn(server, threadId);
  const taken: string[] = [];
  let sent = 0;
  for (const method of Object.keys(clientRequests).filter((name) => name !== "initialize")) {
    for (const member of requests[method] ?? []) {
      const [top = ""] = member.split(".");
      if (!member.split(".").some(isRestraint) || harmless.includes(member)) continue;
      const params = { threadId, input: go, command: ["true"], ...nest(member.split(".")) };
      const { error } = await server.request(method, params);
      sent += 1;
      if (error?.message.includes(top) !== true && error?.message.includes("permission profile") !== true)
        taken.push(`${method} ${member}: ${error?.message}`);
    }
  }
  expect(taken).toEqual([]);
  expect(sent).toBeGreaterThan(60);
});

/** A value that is nonsense for each member, at its place. */
function nest([name = "", ...below]: readonly string[]): object {
  const value = below.length === 0 ? "nonsense" : nest(below);
  return name === "0" ? [value] : { [name]: value };
}

const invented = JSON.parse(
  readFileSync(new URL("../../../conformance/limits/invented.json", import.meta.url), "utf8"),
) as { readonly refused: Readonly<Record<string, unknown>>; readonly ignored: Readonly<Record<string, unknown>> };

test("invented limits are refused by every method, and other invented members ignored", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", invented.ignored));
  for (const [name, value] of Object.entries(invented.refused))
    for (const method of ["thread/start", "turn/start", "thread/settings/update", "review/start", "command/exec"]) {
      const { error } = await server.request(method, { threadId, input: go, [name]: value });
      expect([method, name, error?.code, error?.message.startsWith(`${method}: ${name}`)]).toEqual([
        method,
        name,
        -32602,
        true,
      ]);
    }
  const warning = await server.find(({ method }) => method === "warning");
  expect(warning.params?.["message"]).toContain(`ignored ${Object.keys(invented.ignored).join(", ")}`);
});
