import { cpSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type JsonObject, startDemoModel } from "../src/index.ts";
import { body, post, postForEvents, postForResponse, user } from "./post.ts";
import { DemoThread, toolsIn } from "./run-demo.ts";

const sample = join(import.meta.dirname, "../../../examples/sample-project");
const shellCommand = { type: "function", name: "shell_command" };
const updatePlan = { type: "function", name: "update_plan" };
const freeformPatch = { type: "custom", name: "apply_patch" };
const allTools: readonly JsonObject[] = [shellCommand, freeformPatch, updatePlan];
const strict = { allowViolations: false, checks: { prefix: true, fields: true } };

/** A copy of the sample project that goes when it is no longer needed. */
async function copySample() {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-demo-"));
  cpSync(sample, folder.path, { recursive: true });
  return folder;
}

test("the demo repairs the sample project with the real tools, within the laws", async () => {
  await using folder = await copySample();
  await using model = await startDemoModel(strict);
  const thread = new DemoThread(model, allTools, toolsIn(folder.path));
  const summary = await thread.ask("Please fix the failing test.");
  expect(thread.calls.map(({ name, arguments: text, input }) => [name, input ?? text])).toMatchInlineSnapshot(`
    [
      [
        "update_plan",
        "{"plan":[{"step":"Look at the project","status":"in_progress"},{"step":"Run the tests","status":"pending"},{"step":"Repair the bug","status":"pending"},{"step":"Run the tests again","status":"pending"}]}",
      ],
      [
        "shell_command",
        "{"command":"ls . src test"}",
      ],
      [
        "shell_command",
        "{"command":"node --test"}",
      ],
      [
        "shell_command",
        "{"command":"cat src/split.js"}",
      ],
      [
        "update_plan",
        "{"plan":[{"step":"Look at the project","status":"completed"},{"step":"Run the tests","status":"completed"},{"step":"Repair the bug","status":"in_progress"},{"step":"Run the tests again","status":"pending"}]}",
      ],
      [
        "apply_patch",
        "*** Begin Patch
    *** Update File: src/split.js
    @@
       if (people.length === 0) throw new RangeError("a bill needs at least one person");
    -  const share = Math.round(cents / people.length);
    +  const share = Math.floor(cents / people.length);
       const leftOver = cents - share * people.length;
    *** End Patch
    ",
      ],
      [
        "shell_command",
        "{"command":"node --test"}",
      ],
      [
        "update_plan",
        "{"plan":[{"step":"Look at the project","status":"completed"},{"step":"Run the tests","status":"completed"},{"step":"Repair the bug","status":"completed"},{"step":"Run the tests again","status":"completed"}]}",
      ],
    ]
  `);
  expect(summary).toMatchInlineSnapshot(`
    "Fixed: all tests pass.

    \`splitEvenly\` rounds the share to the nearest cent. Rounded up, the shares add up to more than the bill and no cent is left over to hand out. Rounded down, the cents left over are handed out one by one, as meant.

    Changed: \`src/split.js\`, one line."
  `);
  expect(await thread.ask("Fix it again")).toBe("All tests pass as they are: there is nothing to repair.");
});

test.for<readonly [string, readonly JsonObject[]]>([
  [
    "shell",
    [
      { type: "function", name: "shell" },
      { type: "function", name: "apply_patch" },
    ],
  ],
  ["exec_command", [{ type: "function", name: "exec_command" }, freeformPatch]],
])("the demo repairs it with %s and without a plan too", async ([name, tools]) => {
  await using folder = await copySample();
  await using model = await startDemoModel(strict);
  const thread = new DemoThread(model, tools, toolsIn(folder.path));
  expect(await thread.ask("fix the failing test")).toContain("Fixed: all tests pass.");
  expect(thread.calls.map((call) => call.name)).toEqual([name, name, name, "apply_patch", name]);
});

test("the demo says what it saw when a tool refuses", async () => {
  await using folder = await copySample();
  await using model = await startDemoModel(strict);
  const refusal = "The command was refused: the sandbox is read-only.";
  const without = (name: string) =>
    new DemoThread(model, allTools, (call) => (call.name === name ? refusal : toolsIn(folder.path)(call)));
  expect(await without("shell_command").ask("fix the failing test")).toBe(
    `\`ls . src test\` did not run. This is what I got instead:\n\n\`\`\`\n${refusal}\n\`\`\``,
  );
  expect(await without("apply_patch").ask("fix the failing test")).toContain(
    `The patch did not apply. This is what I got:\n\n\`\`\`\n${refusal}`,
  );
  expect(await without("shell_command").ask("run: rm -rf /")).toContain(
    `did not run. What I got instead:\n\n\`\`\`\n${refusal}`,
  );
  expect(await new DemoThread(model, [updatePlan], toolsIn(folder.path)).ask("fix it")).toContain(
    "I can repair nothing here",
  );
});

test("if the tests may not run, the demo only reads, and shows the repair", async () => {
  await using folder = await copySample();
  await using model = await startDemoModel(strict);
  const refusal = "The command was refused: it may do more than read.";
  const reading = new DemoThread(model, allTools, (call) =>
    call.arguments?.includes("node --test") ? refusal : toolsIn(folder.path)(call),
  );
  const answer = await reading.ask("fix the failing test");
  expect(answer).toContain("-  const share = Math.round(cents / people.length);\n+  const share = Math.floor(");
  expect(answer).toContain(`\`node --test\` did not run. This is what I got instead:\n\n\`\`\`\n${refusal}`);
  expect(reading.calls.map(({ name }) => name)).not.toContain("apply_patch");
});

test("the demo says so when the bug is another one than it knows", async () => {
  await using folder = await copySample();
  cpSync(join(folder.path, "src/money.js"), join(folder.path, "src/split.js"));
  await using model = await startDemoModel(strict);
  const answer = await new DemoThread(model, allTools, toolsIn(folder.path)).ask("fix the failing test");
  expect(answer).toBe("I only know the bug of the sample project, and src/split.js does not hold it.");
});

test("the demo runs commands, shows files and makes plans, turn after turn of one thread", async () => {
  await using folder = await copySample();
  await using model = await startDemoModel(strict);
  const thread = new DemoThread(model, allTools, toolsIn(folder.path));
  const answers = [
    await thread.ask("run: echo one; exit 3"),
    await thread.ask("Run `echo two`"),
    await thread.ask("show the file `AGENTS.md`"),
    await thread.ask("show it's gone"),
    await thread.ask("cat it's-gone"),
    await thread.ask("Make a plan for world peace"),
    await thread.ask("run the tests"),
    await thread.ask("Write a summary of all this"),
    await thread.ask("Make a plan for tea\n\n<plan_mode>\nThe plan is all you write.\n</plan_mode>"),
    await thread.ask("Review all changes of this work tree. Change nothing. The summary says whether it can go in."),
  ];
  expect(answers.slice(0, 2)).toEqual([
    "`echo one; exit 3` ended with exit code 3.\n\n```\none\n```",
    "`echo two` ended with exit code 0.\n\n```\ntwo\n```",
  ]);
  expect(answers[2]).toMatch(/^AGENTS\.md:\n\n```\n# Working on fair-share\n/);
  expect(answers[3]).toContain("I am unroll's built-in demo model");
  expect(answers[4]).toMatch(/^I could not read it's-gone:\n\n```\ncat: .*it's-gone.*: No such file/);
  expect(answers[5]).toContain("A plan for world peace:\n\n1. Read what is there about: world peace\n2. ");
  expect(answers[6]).toContain("`node --test` ended with exit code 1.");
  expect(answers[7]).toContain("- run: echo one; exit 3\n- Run `echo two`\n");
  expect(answers[8]).toContain("1. Read what is there about: tea\n");
  expect(answers[9]).toBe("I am the demo model: I looked at what is changed, and judge nothing.");
});

test("without anything it knows, the demo explains itself and how to get a real model, in small pieces", async () => {
  await using model = await startDemoModel({ eventDelayMs: 0 });
  const events = await postForEvents(model, { model: "unroll-demo", input: "Write me a poem", stream: true });
  const deltas = events.flatMap(({ delta }) => (typeof delta === "string" ? [delta] : []));
  expect(Math.max(...deltas.map((delta) => delta.length))).toBeLessThanOrEqual(12);
  for (const name of ["demo model", "OPENAI_API_KEY", "OPENAI_BASE_URL", "[model_providers.mine]"]) {
    expect(deltas.join("")).toContain(name);
  }
});

test.for<readonly [string, JsonObject]>([
  ["no input", { model: "m" }],
  [
    "input of strange things",
    { model: "m", input: [1, null, "x", { role: "user" }, { role: "user", content: [{}, 3] }] },
  ],
  [
    "strange calls",
    {
      model: "m",
      input: [
        user("show x"),
        { type: "function_call", call_id: "a", name: "n", arguments: "{" },
        { type: "function_call_output", call_id: "a", output: [{ type: "input_image" }] },
      ],
    },
  ],
])("a request with %s still gets an answer", async ([, content]) => {
  await using model = await startDemoModel();
  expect(JSON.parse((await post(model, content)).text)).toMatchObject({ status: "completed" });
  expect(await postForResponse(model, { ...content, stream: true })).toMatchObject({ status: "completed" });
});

test("the demo is listed as unroll-demo, and its threads may be compacted", async () => {
  await using model = await startDemoModel();
  expect(await (await fetch(`${model.url}/models`)).json()).toMatchObject({ data: [{ id: "unroll-demo" }] });
  await post(model, body([user("Hi"), user("Ho")]));
  expect((await post(model, body([user("A summary of it all")]))).status).toBe(200);
});
