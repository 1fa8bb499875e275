import { once } from "node:events";
import { createInterface } from "node:readline";
import { methods } from "@agentclientprotocol/sdk/unstable";
import { expect, test } from "vitest";
import { openAcpWorld, textOf } from "./acp-world.ts";

const say = (text: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text }] });

interface Answer {
  readonly id?: number | null;
  readonly result?: object;
  readonly error?: { readonly code: number };
}

/** More for a longer look: 10 makes it 4,000 messages, and 200 sessions. */
const runs = Number(process.env["UNROLL_TEST_RUNS"] ?? 1);

test("a flood of messages, good, wrong and broken, is answered one by one, and a turn ends in the middle of it", async () => {
  await using world = await openAcpWorld({ script: { turns: [say("Hello.")] } });
  const { stdin, stdout, ended } = world.start();
  const answers: Answer[] = [];
  const lines = createInterface(stdout).on("line", (line) => void answers.push(JSON.parse(line) as Answer));
  const send = (message: object): void => void stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const resultOf = async (id: number): Promise<unknown> => {
    await expect.poll(() => answers.find((each) => each.id === id)).toBeDefined();
    const answer = answers.find((each) => each.id === id);
    return answer?.result ?? answer;
  };
  send({ id: 1, method: "initialize", params: { protocolVersion: 1 } });
  expect(await resultOf(1)).toMatchObject({ protocolVersion: 1 });
  send({ id: 2, method: "session/new", params: { cwd: world.work, mcpServers: [] } });
  const { sessionId } = (await resultOf(2)) as { readonly sessionId: string };
  const count = 400 * runs;
  const flood = (from: number): void => {
    for (let id = from; id < from + count / 2; id += 4) {
      send({ id, method: "session/none", params: {} });
      send({ id: id + 1, method: "session/prompt", params: { sessionId: "none", prompt: [] } });
      send({ id: id + 2, method: "session/new", params: { cwd: 1 } });
      stdin.write("{\n");
    }
  };
  flood(100);
  send({ id: 3, method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text: "Hi" }] } });
  flood(100 + count / 2);
  expect(await resultOf(3)).toEqual({ stopReason: "end_turn" });
  stdin.end();
  expect(await ended).toBe(0);
  const read = once(lines, "close");
  stdout.end();
  await read;
  const tally: Record<string, number> = {};
  for (const { error } of answers) if (error !== undefined) tally[error.code] = (tally[error.code] ?? 0) + 1;
  const each = count / 4;
  expect(tally).toEqual({ "-32601": each, "-32002": each, "-32602": each, "-32700": each });
});

test("many sessions run at once, and each is answered by itself", async () => {
  const count = 20 * runs;
  const turns = Array.from({ length: count }, (_, at) => say(`Answer ${at}.`));
  await using world = await openAcpWorld({ script: { turns } });
  const editor = await world.open();
  const begun = await Promise.all(Array.from({ length: count }, () => editor.begin()));
  expect(new Set(begun.map(({ sessionId }) => sessionId)).size).toBe(count);
  const ends = await Promise.all(begun.map(({ sessionId }) => editor.prompt(sessionId, "Hi")));
  expect(ends).toEqual(begun.map(() => ({ stopReason: "end_turn" })));
  const said = textOf(editor.updates).match(/Answer \d+\./g) ?? [];
  expect(new Set(said).size).toBe(count);
  for (const { sessionId } of begun) await editor.agent.request(methods.agent.session.close, { sessionId });
  expect(await editor.leave()).toBe(0);
});
