import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { methods, type RequestError } from "@agentclientprotocol/sdk/unstable";
import { expect, test } from "vitest";
import { type Editor, openAcpWorld } from "./acp-world.ts";

const { session } = methods.agent;

/** A request with members that the protocol does not have. */
async function ask(editor: Editor, method: string, params: object): Promise<string | null> {
  const send = editor.agent.request.bind(editor.agent) as (method: string, params: object) => Promise<unknown>;
  try {
    await send(method, params);
    return null;
  } catch (error) {
    return (error as RequestError).message;
  }
}

const touch = { items: [{ call: "exec_command", arguments: { cmd: "touch made" } }] };

test.for([
  [{ permissions: ":read-only" }, 'permissions: unroll does not know this limit (":read-only")'],
  [{ sandbox: "read-only" }, "sandbox: "],
  [{ allowedTools: ["x"] }, "allowedTools: "],
  [{ _meta: { maxTurns: 3 } }, "_meta.maxTurns: "],
  [{ _meta: { someAgent: { options: { permissionMode: "plan" } } } }, "_meta.someAgent.options.permissionMode: "],
  [{ extra: [{ network_access: false }] }, "extra[0].network_access: "],
] as const)("a limit that the agent does not understand is refused: %j", async ([more, message]) => {
  await using world = await openAcpWorld({ script: { turns: [] } });
  const editor = await world.open();
  const opening = { cwd: world.work, mcpServers: [] };
  expect(await ask(editor, session.new, { ...opening, ...more })).toContain(`session/new: ${message}`);
  const { sessionId } = await editor.begin();
  const prompt = [{ type: "text", text: "Hi" }];
  expect(await ask(editor, session.prompt, { sessionId, prompt, ...more })).toContain(`session/prompt: ${message}`);
});

test("the agent ignores other unknown members with one line on stderr, and metadata of other vendors silently", async () => {
  await using world = await openAcpWorld({ script: { turns: [] } });
  const editor = await world.open();
  const opening = { cwd: world.work, mcpServers: [] };
  const more = { unheardOf: 1, permissions: null, _meta: { "example.com/agent": { sandbox: "none" }, trace: "x" } };
  expect(await ask(editor, session.new, { ...opening, ...more })).toBe(null);
  expect(await ask(editor, session.new, { ...opening, ...more })).toBe(null);
  expect(editor.stderr()).toBe("unroll: session/new: ignored unheardOf: unroll does not know this member.\n");
});

test("members at any depth are judged: a limit is refused, and each other unknown member named once", async () => {
  await using world = await openAcpWorld({ script: { turns: [{ items: [{ text: "Hi." }] }] } });
  const editor = await world.open();
  const server = { name: "x", command: "/bin/true", args: [], env: [{ name: "A", value: "1", colour: "red" }] };
  const begin = (more: object) => ask(editor, session.new, { cwd: world.work, mcpServers: [{ ...server, ...more }] });
  expect(await begin({ env: [{ name: "A", value: "1", allowedIn: "/tmp" }] })).toContain(
    'session/new: mcpServers[0].env[0].allowedIn: unroll does not know this limit ("/tmp")',
  );
  expect(await begin({ disabled: true })).toContain("session/new: mcpServers[0].disabled: ");
  expect(await begin({ _meta: { someAgent: { readOnly: true } } })).toContain(
    "mcpServers[0]._meta.someAgent.readOnly: ",
  );
  expect(await begin({ weight: 3, _meta: { "example.com": 1 } })).toBe(null);
  const { sessionId } = await editor.begin();
  const resource = { uri: "file:///a", text: "a", mimeType: "text/plain", size: 1 };
  const prompt = [{ type: "resource", resource, annotations: { audience: ["user"] }, extra: 1 }];
  const limited = [{ type: "resource", resource: { ...resource, read_only: true } }];
  expect(await ask(editor, session.prompt, { sessionId, prompt: limited })).toContain("prompt[0].resource.read_only: ");
  expect(await ask(editor, session.prompt, { sessionId, prompt })).toBe(null);
  expect(editor.stderr()).toContain("session/new: ignored mcpServers[0].env[0].colour, mcpServers[0].weight: ");
  expect(editor.stderr()).toContain("session/prompt: ignored prompt[0].resource.size, prompt[0].extra: ");
});

const invented = JSON.parse(
  readFileSync(new URL("../../../conformance/limits/invented.json", import.meta.url), "utf8"),
) as { readonly refused: Readonly<Record<string, unknown>>; readonly ignored: Readonly<Record<string, unknown>> };

test("invented limits are refused, and other invented members ignored", async () => {
  await using world = await openAcpWorld({ script: { turns: [] } });
  const editor = await world.open();
  const opening = { cwd: world.work, mcpServers: [] };
  for (const [name, value] of Object.entries(invented.refused))
    expect(await ask(editor, session.new, { ...opening, [name]: value })).toContain(`session/new: ${name}`);
  expect(await ask(editor, session.new, { ...opening, ...invented.ignored })).toBe(null);
  expect(editor.stderr()).toContain(`ignored ${Object.keys(invented.ignored).join(", ")}`);
});

test.for([{ readOnly: true }, { _meta: { allowedPaths: ["/tmp"] } }])(
  "an approval with a limit that the agent does not know is a denial: %j",
  async (more) => {
    await using world = await openAcpWorld({ script: { turns: [touch, { items: [{ text: "Done." }] }] } });
    const editor = await world.open({
      sandbox: "danger-full-access",
      askForApproval: "untrusted",
      permit: () => "once",
      more,
    });
    const { sessionId } = await editor.begin();
    await editor.prompt(sessionId, "Go");
    expect(editor.asked).toHaveLength(1);
    expect(existsSync(join(world.work, "made"))).toBe(false);
  },
);
