import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

const echo = { call: "exec_command", arguments: { cmd: "echo hi", login: false }, call_id: "call_1" };

test("a request is stateless and carries the tools in their fixed order", async () => {
  const expect_ = {
    tools: ["exec_command", "write_stdin", "apply_patch", "update_plan", "view_image", "web_search"],
    body: {
      model: "gpt-5-codex",
      tool_choice: "auto",
      parallel_tool_calls: true,
      store: false,
      stream: true,
      include: ["reasoning.encrypted_content"],
    },
  };
  await using world = await openThreadWorld({ script: { turns: [{ items: [{ text: "Hi." }], expect: expect_ }] } });
  await using thread = await world.openThread({ config: ["web_search=live"] });
  expect((await runToEnd(thread, "Hi")).outcome.type).toBe("completed");
  const request = world.model.requests[0];
  expect(request?.body).toMatchObject({ prompt_cache_key: thread.id });
  expect(request?.body).not.toHaveProperty("previous_response_id");
  const ids = { "session-id": thread.id, "thread-id": thread.id, "x-client-request-id": thread.id };
  expect(request?.headers).toMatchObject({ ...ids, accept: "text/event-stream", "user-agent": "test" });
  expect(request?.headers).not.toHaveProperty("session_id");
});

test("every request is the one before it, byte for byte, and more", async () => {
  const turns = [
    { items: [{ reasoning: "Think." }, echo] },
    { items: [{ type: "of_tomorrow", payload: [1.5, "é"] }, { text: "One." }] },
    { items: [{ text: "Two." }] },
  ];
  await using world = await openThreadWorld({ script: { turns } });
  await using thread = await world.openThread();
  await runToEnd(thread, "First");
  await runToEnd(thread, [{ type: "text", text: "Second" }]);
  const bodies = world.model.requests.map((request) => request.raw.toString("utf8"));
  expect(bodies).toHaveLength(3);
  for (const [index, body] of bodies.slice(1).entries()) {
    const before = bodies[index] ?? "";
    expect(body.startsWith(before.slice(0, before.lastIndexOf('],"reasoning"')))).toBe(true);
  }
});

test("the whole first request is as the golden file says", async () => {
  await using world = await openThreadWorld(
    { script: { turns: [{ items: [{ text: "Hi." }] }] } },
    { files: { ".git/HEAD": "", ".git/objects/x": "", ".git/refs/x": "", "AGENTS.md": "Write tests first.\n" } },
  );
  await using thread = await world.openThread({ env: { SHELL: "/bin/bash" } });
  await runToEnd(thread, "Fix the test");
  const { instructions, ...body } = world.model.requests[0]?.body ?? {};
  expect(typeof instructions).toBe("string");
  const golden = JSON.stringify(body, null, 2)
    .replaceAll(world.work, "/workspace")
    .replaceAll(thread.id, "00000000-0000-7000-8000-000000000000");
  await expect(`${golden}\n`).toMatchFileSnapshot("../../../conformance/requests/001-first-request/expected.json");
});

async function callOnce(world: ThreadWorld): Promise<string> {
  await using thread = await world.openThread({
    env: { OPENAI_API_KEY: "canary-key-123456", MY_PASSWORD: "canary-456789" },
  });
  const { events } = await runToEnd(thread, "env");
  return JSON.stringify(events) + world.model.requests.map((request) => request.raw.toString("utf8")).join("");
}

test("no credential of the harness reaches a command, an event or a request", async () => {
  const env = { call: "exec_command", arguments: { cmd: "env; cat /proc/self/environ", login: false } };
  await using world = await openThreadWorld({ script: { turns: [{ items: [env] }, { items: [{ text: "Done." }] }] } });
  const said = await callOnce(world);
  expect(said).toContain("PATH=");
  expect(said).not.toContain("canary");
});
