import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { keys, openTerminalWorld, readSent, type TerminalWorld } from "./terminal-world.ts";

const size = { columns: 100, rows: 40 };
const overloaded: Turn = { status: 503, body: { error: { code: "server_is_overloaded", message: "Busy." } } };

/** A thread whose second message meets an overloaded model, up to the question about the next one. */
async function openAtQuestion(): Promise<{
  readonly world: TerminalWorld;
  readonly seat: ReturnType<TerminalWorld["start"]>;
}> {
  const turns: readonly Turn[] = [{ items: [{ text: "First." }] }, overloaded];
  const world = await openTerminalWorld({ turns, config: 'model_fallbacks = ["gpt-5"]' });
  const seat = world.start({ config: ["model_providers.test.request_max_retries=0"] }, size);
  await seat.shows("gpt-5-codex");
  await say(seat, "Remember the number 42.", "First.");
  await say(seat, "Which number?", "gpt-5 of test instead of gpt-5-codex of test");
  await seat.pass(1000);
  return { world, seat };
}

async function say(seat: ReturnType<TerminalWorld["start"]>, text: string, shown: string): Promise<void> {
  await seat.pass(1000);
  seat.type(`${text}${keys.enter}`);
  await seat.shows(shown);
}

const modelsOf = (world: TerminalWorld): readonly unknown[] => world.model.requests.map(({ body }) => body["model"]);

test("the question about a fallback says why, what changes and what it costs, and y sends the thread to the other model", async () => {
  const { world, seat } = await openAtQuestion();
  await using _world = world;
  const shown = seat.screen().join("\n");
  expect(shown).toContain("gpt-5-codex is overloaded.");
  expect(shown).toMatch(/[\d,]+ tokens/);
  expect(seat.screen().findLast((row) => row !== "")).toMatch(/^gpt-5-codex medium/); // in force until you answer
  seat.type("y");
  await seat.shows("all finished");
  expect(modelsOf(world)).toEqual(["gpt-5-codex", "gpt-5-codex", "gpt-5"]);
  expect(readSent(world.model.requests[2])).toContain("Remember the number 42.");
  await seat.leave();
});

test("Esc in the question about a fallback ends the turn, sends nothing, and the thread keeps its model", async () => {
  const { world, seat } = await openAtQuestion();
  await using _world = world;
  seat.type(keys.escape);
  await seat.hides("gpt-5 of test instead of");
  await seat.shows("The thread does not continue with gpt-5,");
  await seat.hides("gpt-5 medium");
  expect(modelsOf(world)).toEqual(["gpt-5-codex", "gpt-5-codex"]);
  await say(seat, "Once more.", "all finished");
  expect(modelsOf(world)).toEqual(["gpt-5-codex", "gpt-5-codex", "gpt-5-codex"]);
  await seat.leave();
});
