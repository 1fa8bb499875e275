import type { Guise } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { keys, openTerminalWorld } from "./terminal-world.ts";

const ready = "gpt-5-codex";
type Seat = ReturnType<Awaited<ReturnType<typeof openTerminalWorld>>["start"]>;

async function say(seat: Seat, line: string, text: string): Promise<void> {
  seat.type(`${line}${keys.enter}`);
  await seat.shows(text);
  await seat.pass(1000);
}

async function answer(seat: Seat, typed: string): Promise<void> {
  await seat.pass(1000);
  for (const key of typed) seat.type(key);
}

function listing(models: readonly object[]): Guise {
  return {
    answer: ({ method, url }) =>
      method === "GET" && /\/models(\?|$)/.test(url) ? { status: 200, body: { object: "list", data: models } } : null,
  };
}

const served = [
  { id: "tiny-local", context_length: 8192 },
  { id: "gpt-oss-20b", context_length: 65_536 },
  { id: "gpt-5-codex", context_length: 272_000 },
];

test("/model lists the models that the server lists, on the one in force, and asks for the effort of the chosen one", async () => {
  await using world = await openTerminalWorld({ guise: listing(served) });
  const seat = world.start({}, { columns: 110, rows: 30 });
  await seat.shows(ready);
  await say(seat, "/model", "Which model of Test?");
  const rows = seat.screen().map((row) => row.trimEnd());
  expect(rows.filter((row) => /^(?:›| ) [\dw] {2}/.test(row))).toEqual([
    "› 1  gpt-5-codex  (current) 272k tokens; effort low [medium] high",
    "  2  tiny-local  8,192 tokens",
    "  3  gpt-oss-20b  65,536 tokens; effort low [medium] high",
    "  w  another model",
  ]);
  await answer(seat, "3");
  await seat.shows("Which effort for gpt-oss-20b?");
  expect(seat.screen().join("\n")).toContain("› 2  medium  (current) for most work");
  await answer(seat, "3");
  await seat.shows("Model: gpt-oss-20b, from the next request on.");
  await say(seat, "hello", "all finished");
  expect(world.model.requests[0]?.body).toMatchObject({ model: "gpt-oss-20b", reasoning: { effort: "high" } });
  await say(seat, "/model", "(current) 65,536 tokens");
  await answer(seat, `${keys.enter}`);
  await seat.shows("(current) for hard work");
  await answer(seat, "1");
  await seat.shows("Effort: low, from the next request on.");
  await say(seat, "/status", "effort     low (this thread)");
});

test("/model takes a name that is not listed, and says the cost before a thread is resent", async () => {
  const turns = ["all finished", "the second answer"].map((text) => ({ items: [{ text }] }));
  await using world = await openTerminalWorld({ guise: listing(served), turns });
  const seat = world.start({}, { columns: 110, rows: 30 });
  await say(seat, "hello", "all finished");
  await say(seat, "/model", "Which model of Test?");
  await answer(seat, "w");
  await seat.shows("another model: its name");
  await answer(seat, `my-own${keys.enter}`);
  await seat.shows("  n  no"); // its efforts are unknown: none is asked
  expect(seat.screen().join("\n")).toMatch(/\d tokens/);
  expect(seat.screen().findLast((row) => row !== "")).toMatch(/^gpt-5-codex/); // in force until you answer
  await answer(seat, "y");
  await seat.shows("Model: my-own, from the next request on.");
  await say(seat, "again", "the second answer");
  expect(world.model.requests.at(-1)?.body["model"]).toBe("my-own");
});

test("/model with more models than keys finds them by typing, and takes what is typed where none fits", async () => {
  const many = Array.from({ length: 30 }, (_, at) => ({ id: `maker/model-${at + 1}`, context_length: 8192 }));
  await using world = await openTerminalWorld({ guise: listing(many) });
  const seat = world.start({}, { columns: 80, rows: 24 });
  await seat.shows(ready);
  await say(seat, "/model", "search:");
  expect(seat.screen().join("\n")).toMatch(/1 to \d+ of 32/);
  await answer(seat, "nowhere-listed");
  await seat.shows("another model: nowhere-listed");
  await answer(seat, keys.enter);
  await seat.shows("Model: nowhere-listed, from the next request on.");
});

test("a server without a list says so at /model, and a name can be typed", async () => {
  await using world = await openTerminalWorld({
    guise: { answer: ({ url }) => (url.includes("/models") ? { status: 404, body: {} } : null) },
  });
  const seat = world.start({}, { columns: 110, rows: 30 });
  await seat.shows(ready);
  await say(seat, "/model", "Test has no list of models at ");
  await seat.shows("another model");
  await answer(seat, keys.escape);
  await seat.hides("Which model of Test?");
  expect(seat.screen().join("\n")).toContain("(404). You can type the name of a model.");
});

test("Esc ends the wait for a server that does not answer /model", async () => {
  await using world = await openTerminalWorld({
    guise: { answer: ({ url }) => (url.includes("/models") ? { status: 200, body: {}, delayMs: 60_000 } : null) },
  });
  const seat = world.start({}, { columns: 110, rows: 30 });
  await seat.shows(ready);
  seat.type(`/model${keys.enter}`);
  await seat.shows("Esc to stop");
  seat.type(keys.escape);
  await seat.hides("Esc to stop");
  await say(seat, "/effort high", "Effort: high");
  expect(seat.screen().join("\n")).not.toContain("Which model");
});

test("line by line, /model lists, marks and takes a name, too", async () => {
  await using world = await openTerminalWorld({ guise: listing(served) });
  const ran = await world.run(["/model", "gpt-oss-20b", "high", "/model", "other-one", "hello"]);
  expect(ran.text).toContain("Asking Test for its models (^C stops).\n");
  expect(ran.text).toContain("  1  gpt-5-codex: (current) 272k tokens; effort low [medium] high\n");
  expect(ran.text).toContain("Model: gpt-oss-20b, from the next request on.\n");
  expect(ran.text).toContain("Model: other-one, from the next request on.\n");
  expect(world.model.requests.at(-1)?.body["model"]).toBe("other-one");
});

test("/model at OpenAI lists the catalogue with prices and asks nobody", async () => {
  await using world = await openTerminalWorld({
    env: { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" },
  });
  const seat = world.start({ model: "gpt-5.2", config: ['model_provider="openai"'] }, { columns: 110, rows: 40 });
  await seat.shows("gpt-5.2");
  await say(seat, "/model", "Which model of OpenAI?");
  await seat.shows(
    "gpt-5.2  (current) 272k tokens; $1.75 in, $14 out per million; effort none low [medium] high xhigh",
  );
  expect(seat.bytes()).not.toContain("You can type the name"); // no server was asked
});
