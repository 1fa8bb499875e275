import { expect, test } from "vitest";
import { type JsonObject, type ScriptedModelOptions, startScriptedModel } from "../src/index.ts";
import { body, call, output, readEvents, user } from "./post.ts";

type Affinity = NonNullable<ScriptedModelOptions["affinity"]>;
type Headers = Readonly<Record<string, string>>;

const state = "x-codex-turn-state";
const own = { "session-id": "a", "thread-id": "a" };
const first = [user("Hi")];
const second = [...first, call("call_1"), output("call_1")];
const third = [...second, user("Bye")];

/** Sends a thread of three requests, of two turns; gives back whether each had the whole request before it cached, and its token. */
async function runThread(
  affinity: Affinity,
  [begin, within, next]: readonly [Headers, Headers, Headers],
): Promise<readonly unknown[]> {
  const turns = [
    { items: [{ call: "shell_command", arguments: "{}", call_id: "call_1" }] },
    { items: [{ text: "ok" }], repeat: 2 },
  ];
  await using model = await startScriptedModel({ script: { turns, affinity } });
  const told: unknown[] = [];
  let before = 0;
  for (const [input, headers] of [
    [first, begin],
    [second, within],
    [third, next],
  ] as const) {
    const response = await fetch(`${model.url}/responses`, {
      method: "POST",
      headers: { "content-type": "application/json", connection: "close", ...headers },
      body: JSON.stringify(body(input)),
    });
    const completed = readEvents(await response.text()).at(-1)?.["response"] as JsonObject;
    const usage = completed["usage"] as JsonObject;
    const { cached_tokens: cached } = usage["input_tokens_details"] as { cached_tokens: number };
    told.push([cached > 0 && cached === before, response.headers.get(state)]);
    before = usage["input_tokens"] as number;
  }
  return told;
}

test.for([
  ["the ids, and within a turn its token", "hyphen", [own, { ...own, [state]: "turn_1" }, own], [true, true]],
  ["no token within a turn", "hyphen", [own, own, own], [false, true]],
  ["a token that nobody gave out", "hyphen", [own, { ...own, [state]: "turn_9" }, own], [false, true]],
  ["no ids", "hyphen", [{}, { [state]: "turn_1" }, {}], [false, false]],
  ["another id within the thread", "hyphen", [own, { "session-id": "b", "thread-id": "b" }, own], [false, false]],
  [
    "the old spelling alone",
    "hyphen",
    [{ session_id: "a" }, { session_id: "a", [state]: "turn_1" }, { session_id: "a" }],
    [false, false],
  ],
  [
    "the old spelling to an older proxy",
    "underscore",
    [{ session_id: "a" }, { session_id: "a" }, { session_id: "a" }],
    [true, true],
  ],
  ["the new spelling alone to an older proxy", "underscore", [own, own, own], [false, false]],
] as const)(
  "a server of many machines counts as cached what reaches the machine that has it: %s",
  async ([, affinity, headers, expected]) => {
    const told = await runThread(affinity, headers);
    expect(told.map((each) => (each as readonly unknown[])[0])).toEqual([false, ...expected]);
  },
);

test("the first answer of a turn has a token, and those that bring it back have none", async () => {
  const told = await runThread("hyphen", [own, { ...own, [state]: "turn_1" }, own]);
  expect(told).toEqual([
    [false, "turn_1"],
    [true, null],
    [true, "turn_2"],
  ]);
  expect(await runThread("underscore", [own, own, own])).toEqual(Array(3).fill([false, null]));
});
