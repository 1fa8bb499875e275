import { methods } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { openAcpWorld, textOf } from "./acp-world.ts";

test("a prompt is answered in chunks, and the session has modes, options and commands", async () => {
  await using world = await openAcpWorld({ script: { turns: [{ items: [{ text: "Hello there." }] }] } });
  const editor = await world.open();
  console.log(JSON.stringify(editor.hello, null, 1));
  const session = await editor.begin();
  console.log(JSON.stringify(session, null, 1));
  await editor.find("available_commands_update");
  expect(await editor.prompt(session.sessionId, "Hi")).toEqual({ stopReason: "end_turn" });
  console.log(JSON.stringify(editor.updates, null, 1), editor.stderr());
  expect(textOf(editor.updates)).toBe("Hello there.");
  expect(await editor.leave()).toBe(0);
});
