import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk/unstable";
import { expect, test } from "vitest";
import { openAcpWorld } from "./acp-world.ts";

test("session/load replays the messages, commands and patch of a thread of the Codex CLI", async () => {
  await using world = await openAcpWorld({ script: { turns: [{ items: [{ text: "Third answer." }] }] } });
  const sessionId = "01a20ac8-9f90-7c43-82ba-9dd0db4f211f";
  const recorded = new URL("../../../conformance/threads/codex-0.169.0-patch.jsonl", import.meta.url);
  const text = (await readFile(recorded, "utf8")).replaceAll("/home/someone/project", world.work);
  const folder = join(world.home, ".codex/sessions/2026/11/23");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `rollout-2026-11-23T23-40-49-${sessionId}.jsonl`), text);
  const editor = await world.open();
  await editor.agent.request(methods.agent.session.load, { sessionId, cwd: world.work, mcpServers: [] });
  const say = (text: string): object => ({ content: { type: "text", text } });
  const at = (path: string): string => join(world.work, path);
  expect(editor.updates).toMatchObject([
    { sessionUpdate: "user_message_chunk", ...say("Look around") },
    { sessionUpdate: "agent_thought_chunk", ...say("Think first.") },
    { sessionUpdate: "agent_message_chunk", ...say("I will look.") },
    { sessionUpdate: "tool_call", kind: "execute", title: "cat a.txt; seq 1 3", rawOutput: { exitCode: 0 } },
    {
      sessionUpdate: "tool_call",
      kind: "edit",
      content: [
        { type: "diff", path: at("a.txt"), oldText: "a.txt\n", newText: "b.txt\n" },
        { type: "diff", path: at("b.txt"), oldText: "b.txt\n", newText: "" },
        { type: "diff", path: at("new.txt"), oldText: null, newText: "hello\n" },
      ],
    },
    { sessionUpdate: "plan" },
    { sessionUpdate: "tool_call", kind: "execute", title: "ls missing; exit 3", rawOutput: { exitCode: 3 } },
    { sessionUpdate: "agent_message_chunk", ...say("Done.") },
    { sessionUpdate: "plan" },
    { sessionUpdate: "user_message_chunk", ...say("Second") },
    { sessionUpdate: "agent_message_chunk", ...say("Second answer.") },
  ]);
  await editor.prompt(sessionId, "Third");
  const answers = editor.updates.filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk");
  expect(answers.at(-1)).toMatchObject(say("Third answer."));
  await editor.leave();
});
