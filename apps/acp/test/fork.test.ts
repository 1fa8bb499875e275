import { methods, type NewSessionResponse } from "@agentclientprotocol/sdk/unstable";
import { expect, test } from "vitest";
import { openAcpWorld } from "./acp-world.ts";

const say = (text: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text }] });
const { session } = methods.agent;

test("a fork is another session with the past, the mode and the model of the first, which stays as it is", async () => {
  const turns = [say("One."), { ...say("Two."), newEpoch: true }, say("Three."), say("Four.")];
  await using world = await openAcpWorld({ script: { turns } }, '[models."other"]\nfamily = "gpt-5"\n');
  const editor = await world.open({ sandbox: "danger-full-access", askForApproval: "untrusted" });
  const { sessionId } = await editor.begin();
  await editor.prompt(sessionId, "a");
  await editor.agent.request(session.setConfigOption, { sessionId, configId: "model", value: "other" });
  await editor.prompt(sessionId, "b");
  await editor.agent.request(session.setMode, { sessionId, modeId: "plan" });
  const place = { sessionId, cwd: world.work, mcpServers: [] };
  const fork = (await editor.agent.request(session.fork, place)) as NewSessionResponse;
  expect(fork.sessionId).not.toBe(sessionId);
  expect(fork).toMatchObject({ modes: { currentModeId: "plan" }, configOptions: [{}, { currentValue: "other" }] });
  await editor.prompt(fork.sessionId, "c");
  await editor.agent.request(session.setMode, { sessionId, modeId: "ask" });
  await editor.prompt(sessionId, "d");
  const [, , third, fourth] = world.model.requests.map(({ body }) => JSON.stringify(body));
  expect([third?.includes("<plan_mode>"), third?.includes("Two.")]).toEqual([true, true]);
  expect([fourth?.includes("Two."), fourth?.includes("Three.")]).toEqual([true, false]);
  // also of one that is closed
  await editor.agent.request(session.close, { sessionId });
  const again = await editor.agent.request(session.fork, place);
  expect(again).toMatchObject({ modes: { currentModeId: "ask" } });
  const missing = editor.agent.request(session.fork, { ...place, sessionId: "none" });
  await expect(missing).rejects.toMatchObject({ code: -32002 });
});
