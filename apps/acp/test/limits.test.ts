import { readFileSync } from "node:fs";
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
