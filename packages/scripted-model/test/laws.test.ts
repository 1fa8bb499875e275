import { anyCharacter } from "@unroll/text/fixture/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonObject, startScriptedModel, type ServingOptions, type Turn } from "../src/index.ts";
import { body, call, output, post, postForResponse, user } from "./post.ts";

const ok: Turn = { items: [{ text: "ok" }] };

/** The server's judgment of a thread's requests: its violations, and the statuses of its answers. */
async function judge(
  bodies: readonly (JsonObject | string)[],
  options: ServingOptions & { respond?: () => Turn } = {},
) {
  await using model = await startScriptedModel({ respond: () => ok, allowViolations: true, ...options });
  const statuses: number[] = [];
  for (const content of bodies) statuses.push((await post(model, content)).status);
  return { statuses, violations: model.violations };
}

/** The rules and messages alone. */
async function violationsOf(...input: Parameters<typeof judge>) {
  return (await judge(...input)).violations.map(({ rule, message }) => `${rule}: ${message}`);
}

const [hi, bye] = [user("Hi"), user("Bye")];

test("a violation is answered with 400 and its name, listed, and thrown by close", async () => {
  const model = await startScriptedModel({ script: { turns: [ok] } });
  const { status, text } = await post(model, body([hi], { store: true }));
  expect({ status, ...(JSON.parse(text) as object) }).toEqual({
    status: 400,
    error: {
      type: "invalid_request_error",
      code: "request_fields",
      message: "Request 1 breaks a law. request_fields: store must be false",
      param: null,
    },
  });
  expect(model.violations).toEqual([{ rule: "request_fields", request: 1, message: "store must be false" }]);
  await expect(model.close()).rejects.toThrow(
    "Requests broke the laws of the model's server:\n  request 1, request_fields: store must be false",
  );
});

test("each field of a stateless, streamed request is checked", async () => {
  const wrong = {
    model: undefined,
    store: undefined,
    stream: false,
    include: [],
    prompt_cache_key: "",
    previous_response_id: "resp_1",
  };
  expect(await violationsOf([body([hi], wrong)])).toEqual([
    "request_fields: model must be a string",
    "request_fields: stream must be true",
    "request_fields: store must be false",
    "request_fields: previous_response_id must not be there",
    'request_fields: include must hold "reasoning.encrypted_content"',
    "request_fields: prompt_cache_key must be there",
  ]);
  expect(await violationsOf([body([hi], { store: true })], { checks: { store: true } })).toEqual([]);
  expect(await violationsOf([body([hi], wrong)], { checks: { fields: false } })).toEqual([]);
});

test.for(["not json", "", '{"a":1', '{"input":[{]}', "[1]", '{"a":1} x', '{"a":1e}', '{"input":[1,]}'])(
  "a body that is not a JSON object is a violation: %s",
  async (content) => {
    expect((await judge([content])).violations).toMatchObject([{ rule: "invalid_body", request: 1 }]);
  },
);

test.for<[string, readonly JsonObject[], string]>([
  ["a call without output", [hi, call("a")], "call a has no output"],
  ["an output without call", [hi, output("a")], "the output of a has no call before it"],
  ["an output before its call", [output("a"), call("a")], "the output of a has no call before it"],
  ["two outputs of a call", [call("a"), output("a"), output("a")], "call a has a second output"],
  ["a call id used twice", [call("a"), output("a"), call("a")], "call a is there twice"],
  [
    "outputs out of call order",
    [call("a"), call("b"), output("b"), output("a")],
    "the output of b comes before that of a: not in call order",
  ],
  [
    "an output of the wrong kind",
    [call("a"), { ...output("a"), type: "custom_tool_call_output" }],
    "the output of a is a custom_tool_call_output, not a function_call_output",
  ],
  [
    "a message before the output",
    [call("a"), bye, output("a")],
    "an item of type message stands before the output of call a",
  ],
  [
    "reasoning between the outputs",
    [call("a"), call("b"), output("a"), { type: "reasoning" }, output("b")],
    "an item of type reasoning stands before the output of call b",
  ],
  [
    "a call between the outputs",
    [call("a"), call("b"), output("a"), call("c"), output("b"), output("c")],
    "call c comes after an output of the same response",
  ],
])("a broken law of calls is reported: %s", async ([, input, message]) => {
  expect(await violationsOf([body(input)])).toContain(`call_outputs: ${message}`);
  expect(await violationsOf([body(input)], { checks: { calls: false } })).toEqual([]);
});

test("calls of one response, each followed by its own output, are told apart from calls of two responses", async () => {
  const interleaved = [hi, call("a"), output("a"), call("b"), output("b")];
  expect(await violationsOf([body(interleaved)])).toEqual([]);
  const bothAtOnce: Turn = { items: ["a", "b"].map((id) => ({ call: "shell_command", arguments: {}, call_id: id })) };
  expect(await violationsOf([body([hi]), body(interleaved)], { respond: () => bothAtOnce })).toEqual([
    "call_outputs: call b comes after an output of the same response",
  ]);
});

test("an id that a thread brought with it, and that is given again, stays with the call that had it first", async () => {
  const brought = [call("a"), output("a")];
  const again: Turn = { items: ["b", "a"].map((id) => ({ call: "shell_command", arguments: {}, call_id: id })) };
  const answered = [...brought, call("b"), call("a_2"), output("b"), output("a_2")];
  const bodies = [body([hi, ...brought]), body([bye, ...answered])];
  expect(await violationsOf(bodies, { respond: () => again, checks: { prefix: false } })).toEqual([]);
});

test("thoughts and words of the model may stand between its calls", async () => {
  const words = { type: "message", role: "assistant", content: [] };
  const input = [hi, call("a"), { type: "reasoning" }, words, call("b"), output("a"), output("b"), bye];
  expect(await violationsOf([body(input)])).toEqual([]);
});

test.for<[string, JsonObject, string]>([
  [
    "an item that changed",
    body([hi, { ...user("Bye"), id: "x" }]),
    'input[1] (message) differs: it was …nt":[{"type":"input_text","text":"Bye"}]} and is …nt":[{"type":"input_text","text":"Bye"}],"id":"x"}',
  ],
  ["an item that is gone", body([hi]), "input[1] (message) is gone: there were 2 items, now there are 1"],
  ["an item put in between", body([hi, user("Wait"), bye]), "input[1] (message) differs"],
  ["another model", body([hi, bye], { model: "n" }), 'model differs: it was "m" and is "n"'],
  [
    "other instructions",
    body([hi, bye], { instructions: "Be" }),
    'instructions differs: it was "Be kind." and is "Be"',
  ],
  [
    "tools in another order",
    body([hi, bye], { tools: [{ type: "web_search" }, { type: "function", name: "shell_command" }] }),
    'tools differs: it was [{"type":"function"',
  ],
  ["no tools", body([hi, bye], { tools: undefined }), "and is not there"],
])("a broken prefix is reported with the first difference: %s", async ([, next, message]) => {
  const first = body([hi, bye]);
  const violations = await violationsOf([first, next]);
  expect(violations).toHaveLength(1);
  expect(violations[0]).toContain("prefix_law: the thread's last request is not a prefix of this one: ");
  expect(violations[0]).toContain(message);
  expect(await violationsOf([first, next], { checks: { prefix: false } })).toEqual([]);
});

test("the prefix law is about bytes: another order of keys, or white space, breaks it", async () => {
  const spaced = JSON.stringify(body([hi])).replace('"type":"message"', '"type": "message"');
  expect(await violationsOf([body([hi]), spaced])).toEqual([
    expect.stringContaining('input[0] (message) differs: it was {"type":"message"'),
  ]);
});

test("a retry, more input and other settings behind it keep the law", async () => {
  const bodies = [body([hi]), body([hi]), body([hi, bye]), body([hi, bye, hi], { reasoning: { effort: "high" } })];
  expect(await judge(bodies)).toEqual({ statuses: [200, 200, 200, 200], violations: [] });
});

test("the law holds whatever the order of the fields is", async () => {
  const { input, tools, ...rest } = body([hi]);
  expect(
    await violationsOf([
      { input, ...rest, tools },
      { input: [hi, bye], ...rest, tools },
    ]),
  ).toEqual([]);
  expect(
    await violationsOf([
      { input, ...rest, tools },
      { input: [hi, bye], ...rest, tools: [] },
    ]),
  ).toEqual([expect.stringContaining("tools differs")]);
});

test.for(["thread-id", "session-id", "session_id"])(
  "threads are told apart by the header %s, else by the cache key",
  async (name) => {
    expect(await violationsOf([body([hi]), body([bye], { prompt_cache_key: "thread-2" })])).toEqual([]);
    await using model = await startScriptedModel({ respond: () => ok });
    for (const [session, input] of [
      ["s1", hi],
      ["s2", bye],
    ] as const) {
      const headers = { [name]: session };
      const { status } = await fetch(`${model.url}/responses`, {
        method: "POST",
        headers,
        body: JSON.stringify(body([input])),
      });
      expect(status).toBe(200);
    }
  },
);

test("a turn that starts a new epoch lets the input start from scratch, once", async () => {
  const turns = [ok, { ...ok, newEpoch: true }, ok, ok];
  await using model = await startScriptedModel({ script: { turns }, allowViolations: true });
  const statuses: number[] = [];
  for (const input of [[hi], [bye], [bye, hi], [hi]]) statuses.push((await post(model, body(input))).status);
  expect(statuses).toEqual([200, 200, 200, 400]);
});

test("what a turn expects of its request is checked", async () => {
  const expectation = {
    tools: ["shell_command"],
    lastInputContains: "Hi",
    inputContains: ["Hi", "Nowhere"],
    body: { model: "m", reasoning: { effort: "high" }, include: [] },
  };
  expect(await violationsOf([body([hi, bye])], { respond: () => ({ ...ok, expect: expectation }) })).toEqual([
    "expectation: expected the tools shell_command; got shell_command, web_search",
    `expectation: expected "Hi" in the last input item; got ${JSON.stringify(bye)}`,
    'expectation: expected "Nowhere" in the input',
    'expectation: expected reasoning to be {"effort":"high"}; got {"effort":"low"}',
    'expectation: expected include to be []; got ["reasoning.encrypted_content"]',
  ]);
  const met = { tools: ["shell_command", "web_search"], lastInputContains: "Bye", body: { tools: [{}, {}] } };
  expect(await violationsOf([body([hi, bye])], { respond: () => ({ ...ok, expect: met }) })).toEqual([]);
});

test("a request after the script's end is a violation that no client retries", async () => {
  await using model = await startScriptedModel({ script: { turns: [ok] }, allowViolations: true });
  await post(model, body([hi]));
  expect(await post(model, body([hi]))).toMatchObject({
    status: 400,
    text: expect.stringContaining("script_exhausted: the script has no turn for request 2") as string,
  });
});

test("a responder that throws is a violation", async () => {
  const respond = () => {
    throw new Error("Not today");
  };
  expect(await violationsOf([body([hi])], { respond })).toEqual(["respond_failed: Error: Not today"]);
});

const item = fc.record({
  type: fc.constantFrom("reasoning", "of_tomorrow"),
  text: fc.string({ unit: anyCharacter }),
  deep: fc.jsonValue(),
});

test("whatever the items hold, a thread that grows keeps the law, and its requests are kept byte for byte", async () => {
  const property = fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 8 }), fc.nat(2), async (items, space) => {
    await using model = await startScriptedModel({ respond: () => ok });
    const bodies = items.map((_, index) => JSON.stringify(body(items.slice(0, index + 1)), null, space));
    for (const content of bodies) expect((await post(model, content)).status).toBe(200);
    expect(model.requests.map(({ raw }) => raw.toString())).toEqual(bodies);
  });
  await fc.assert(property, { numRuns: 25 });
});

test("whatever the items hold, the first one that changed is named", async () => {
  const property = fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 8 }), fc.nat(7), async (items, place) => {
    const index = place % items.length;
    const changed = items.map((old, at) => (at === index ? { ...old, text: `${old.text}!` } : old));
    const [violation] = await violationsOf([body(items), body(changed)]);
    expect(violation).toContain(`input[${index}] (${items[index]?.type}) differs`);
  });
  await fc.assert(property, { numRuns: 25 });
});

test("the tokens that count as cached are the input tokens of the thread's last request", async () => {
  await using model = await startScriptedModel({ respond: () => ({ items: [{ reasoning: "hm" }, { text: "ok" }] }) });
  const usages: { input_tokens: number; input_tokens_details: { cached_tokens: number } }[] = [];
  for (const input of [[hi], [hi, bye], [hi, bye, hi]]) {
    usages.push((await postForResponse(model, body(input)))["usage"] as (typeof usages)[number]);
  }
  expect(usages[0]).toEqual({
    input_tokens: 40,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 40 },
    output_tokens: 74,
    output_tokens_details: { reasoning_tokens: 36 },
    total_tokens: 114,
  });
  expect(usages.slice(1).map((usage) => usage.input_tokens_details.cached_tokens)).toEqual(
    usages.slice(0, -1).map((usage) => usage.input_tokens),
  );
});

test("a script may say the usage itself, or that there is none", async () => {
  const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
  await using model = await startScriptedModel({
    script: {
      turns: [
        { ...ok, usage },
        { ...ok, usage: null },
      ],
    },
  });
  expect((await postForResponse(model, body([hi])))["usage"]).toEqual(usage);
  expect((await postForResponse(model, body([hi])))["usage"]).toBeNull();
});

test("a stale turn refuses what is encrypted, and no later request may hold it", async () => {
  const secret = { type: "reasoning", summary: [], encrypted_content: "gAAA", content: null };
  const turns: Turn[] = [{ stale: true }, ok, ok];
  const input = [hi, secret, bye];
  const respond = (): Turn => turns.shift() ?? ok;
  const fine = await judge([body(input), body([hi, bye])], { respond });
  expect(fine).toEqual({ statuses: [400, 200], violations: [] });
  turns.unshift({ stale: true }, ok);
  const again = await judge([body(input), body(input)], { respond });
  expect(again.violations).toEqual([
    { rule: "stale_content", request: 2, message: "1 items hold encrypted content that was refused before" },
  ]);
  const none = await judge([body([hi])], { respond: () => ({ stale: true }) });
  expect(none.violations).toMatchObject([{ rule: "stale_content", request: 1 }]);
});

test("a stale turn answers as the API does", async () => {
  await using model = await startScriptedModel({ respond: () => ({ stale: true }) });
  const secret = { type: "reasoning", summary: [], encrypted_content: "gAAA", content: null };
  const { status, text } = await post(model, body([secret]));
  expect({ status, ...(JSON.parse(text) as object) }).toEqual({
    status: 400,
    error: {
      message:
        "The encrypted content could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
      type: "invalid_request_error",
      param: null,
      code: "invalid_encrypted_content",
    },
  });
});
