import { existsSync } from "node:fs";
import { join } from "node:path";
import { compiled, fakeServer } from "@unroll/mcp/fixture/servers";
import { askTwoHosts } from "@unroll/program/fixture/two-hosts";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { expect, test } from "vitest";
import { openServerWorld, type RunningServer, threadOf, type Told } from "./server-world.ts";

const text = (said: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text: said }] });
const touch = { items: [{ call: "exec_command", arguments: { cmd: "touch made" } }] };
const careful = { approvalPolicy: "untrusted", sandbox: "danger-full-access" };

/** Starts a turn in a new thread; returns its id and the thread's id. */
async function begin(
  server: RunningServer,
  settings: object,
): Promise<{ readonly threadId: string; readonly turnId: string }> {
  const threadId = threadOf(await server.request("thread/start", settings));
  const { result } = await server.request("turn/start", { threadId, input: [{ type: "text", text: "Go" }] });
  return { threadId, turnId: ((result ?? {})["turn"] as { readonly id: string }).id };
}

const asked = (server: RunningServer, method: string): Promise<Told> => server.find((told) => told.method === method);
const say = (server: RunningServer, { id }: Told, result: unknown): void =>
  server.write(`${JSON.stringify({ id, result })}\n`);
const ended = (server: RunningServer): Promise<Told> => asked(server, "turn/completed");

const place = { id: "place", header: "Place", question: "Where to?" };
const options = ["Here", "There"].map((label) => ({ label, description: `It goes ${label}.` }));

test.for([
  [{ answers: { place: { answers: ["There"] } } }, "There"],
  [{ answers: {} }, "did not answer"],
  [{ answers: { place: "There" } }, "did not answer"],
] as const)("the model's own question is a request: %j", async ([answer, heard]) => {
  const call = { items: [{ call: "request_user_input", arguments: { questions: [{ ...place, options }] } }] };
  await using world = await openServerWorld({ script: { turns: [call, text("Done.")] } });
  const server = await world.open();
  const { threadId, turnId } = await begin(server, {});
  const question = await asked(server, "item/tool/requestUserInput");
  expect(question.params).toMatchObject({ threadId, turnId, questions: [{ ...place, options, isOther: true }] });
  say(server, question, answer);
  await ended(server);
  expect(JSON.stringify(world.model.requests.at(-1)?.input.at(-1))).toContain(heard);
});

test.skipIf(!hasSandbox)(
  "a command that runs on after its turn asks for its hosts, and the answer counts",
  async () => {
    const { port, cmd } = await askTwoHosts();
    const start = { call: "exec_command", arguments: { cmd, login: false, yield_time_ms: 250 } };
    await using world = await openServerWorld(
      { script: { turns: [{ items: [start] }, text("It runs.")] } },
      "[sandbox_workspace_write]\nnetwork = { allow = [] }\n",
    );
    const server = await world.open();
    await begin(server, { approvalPolicy: "on-request", sandbox: "workspace-write" });
    await ended(server);
    for (const [host, decision] of [
      ["127.0.0.1", "accept"],
      ["127.0.0.2", "decline"],
    ]) {
      const question = await server.find(
        ({ method, params }) =>
          method === "item/commandExecution/requestApproval" && JSON.stringify(params).includes(`"host":"${host}"`),
      );
      expect(question.params).toMatchObject({ reason: expect.stringContaining(`${host}:${port}`) as string });
      say(server, question, { decision });
    }
    const isEnd = ({ method, params }: Told): boolean =>
      method === "item/completed" && JSON.stringify(params).includes('"commandExecution"');
    expect((await server.find(isEnd)).params).toMatchObject({
      item: { aggregatedOutput: expect.stringMatching(`^hello\n[^]*127.0.0.2:${port} was denied.`) as string },
    });
  },
);

function toToml({ command, args }: ReturnType<typeof fakeServer>, tool: string, more: string): string {
  const keys = `command = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\nstartup_timeout_sec = 250\n`;
  return `mcp_startup_grace_ms = 20000\n[mcp_servers.one]\n${keys}env.NODE_COMPILE_CACHE = ${JSON.stringify(compiled)}\nenabled_tools = ["${tool}"]\n${more}`;
}

test("a server's form, and a call of its tool, are asked as elicitations, one behind the other", async () => {
  const call = { items: [{ call: "mcp__one__ask", arguments: {} }] };
  const config = toToml(fakeServer("one"), "ask", 'default_tools_approval_mode = "prompt"\n');
  await using world = await openServerWorld({ script: { turns: [call, text("Done.")] } }, config);
  const server = await world.open();
  const { threadId, turnId } = await begin(server, {});
  const isForm = ({ method, params }: Told): boolean =>
    method === "mcpServer/elicitation/request" && params?.["_meta"] === null;
  const approval = await asked(server, "mcpServer/elicitation/request");
  expect(approval.params).toMatchObject({ threadId, turnId, serverName: "one", _meta: { tool: "ask" } });
  say(server, approval, { action: "accept", content: {} });
  const form = await server.find(isForm);
  const requestedSchema = { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] };
  expect(form.params).toMatchObject({ threadId, turnId, serverName: "one", mode: "form", requestedSchema });
  say(server, form, { action: "accept", content: { colour: "red" } });
  expect((await ended(server)).params).toMatchObject({ turn: { status: "completed" } });
  expect(JSON.stringify(world.model.requests.at(-1)?.input.at(-1))).toContain("red");
  expect((await server.request("mcpServerStatus/list", { threadId })).result).toMatchObject({
    data: [{ name: "one", runtimeStatus: "connected", tools: { ask: { name: "ask" } } }],
  });
});

test("a question ends with its turn; an answer that comes later is ignored, and a warning says so", async () => {
  await using world = await openServerWorld({ script: { turns: [touch, text("Two.")] } });
  const server = await world.open();
  const { threadId, turnId } = await begin(server, careful);
  const question = await asked(server, "item/commandExecution/requestApproval");
  const status = { type: "active", activeFlags: ["waitingOnApproval"] };
  expect(
    (await server.find(({ params }) => String(JSON.stringify(params?.["status"])).includes("waiting"))).params,
  ).toEqual({ threadId, status });
  expect((await server.request("thread/read", { threadId })).result).toMatchObject({ thread: { status } });
  await server.request("turn/interrupt", { threadId, turnId });
  expect((await ended(server)).params).toMatchObject({ turn: { status: "interrupted" } });
  expect((await asked(server, "serverRequest/resolved")).params).toEqual({ threadId, requestId: question.id });
  say(server, question, { decision: "accept" });
  expect((await asked(server, "warning")).params).toEqual({
    threadId: null,
    message: expect.stringContaining(`question ${question.id}`) as string,
  });
  expect(existsSync(join(world.work, "made"))).toBe(false);
});

test.for([
  [{ decision: "accept" }, true],
  [{ decision: "accept", unheardOf: 1, permissions: null }, true],
  [{ decision: "accept", permissions: ":read-only" }, false],
  [{ decision: "accept", extra: { networkAccess: false } }, false],
] as const)("an approval with a limit that the server does not understand is a denial: %j", async ([answer, isRun]) => {
  await using world = await openServerWorld({ script: { turns: [touch, text("Done.")] } });
  const server = await world.open();
  await begin(server, careful);
  say(server, await asked(server, "item/commandExecution/requestApproval"), answer);
  await ended(server);
  expect(existsSync(join(world.work, "made"))).toBe(isRun);
});

test.runIf(hasSandbox)(
  "the client's own command runs in the sandbox of the config, or under the policy that the client sends",
  async () => {
    await using world = await openServerWorld({ script: { turns: [] } });
    const server = await world.open();
    const write = { command: ["sh", "-c", "echo hi > file.txt"] };
    const exit = async (params: object): Promise<unknown> =>
      (await server.request("command/exec", { ...write, ...params })).result?.["exitCode"];
    expect(await exit({ sandboxPolicy: { type: "readOnly" } })).not.toBe(0);
    expect(existsSync(join(world.work, "file.txt"))).toBe(false);
    expect(await exit({ sandboxPolicy: { type: "workspaceWrite" } })).toBe(0);
    expect(await exit({ cwd: world.home, sandboxPolicy: { type: "workspaceWrite" } })).toBe(0);
    const slow = { command: ["sleep", "60"], timeoutMs: 50 };
    expect((await server.request("command/exec", slow)).result).toMatchObject({ exitCode: 124 });
    expect((await server.request("command/exec", { command: ["/sys/nonexistent"] })).result?.["exitCode"]).not.toBe(0);
  },
);

test("a question of a sub-agent comes from the thread that the client follows, and names the sub-agent", async () => {
  const start = { items: [{ call: "spawn_agent", arguments: { task_name: "look", message: "Look." } }] };
  await using world = await openServerWorld(
    {
      respond({ input }) {
        const sent = JSON.stringify(input);
        if (sent.includes("_output")) return text("Done.");
        return sent.includes('"Go"') ? start : touch;
      },
    },
    "[agents]\nenabled = true\n",
  );
  const server = await world.open();
  const { threadId, turnId } = await begin(server, careful);
  const question = await asked(server, "item/commandExecution/requestApproval");
  expect(question.params).toMatchObject({
    threadId,
    turnId,
    itemId: "",
    command: "touch made",
    reason: expect.stringMatching(/^Sub-agent look: /) as string,
  });
  say(server, question, { decision: "accept" });
  await ended(server);
  expect(existsSync(join(world.work, "made"))).toBe(true);
});
