import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { expect, test } from "vitest";
import { openExecWorld } from "./exec-world.ts";

/** Before the first request. */
const warning = hasSandbox ? "" : "Commands cannot run here: .*\\n";
const hello = { script: { turns: [{ items: [{ text: "Hello there." }] }] } };

test("what a server says in an error is shown with what hides in it, with --json too", async () => {
  const error = { message: "no \u202Esuch model", code: "model_not_found" };
  for (const json of [false, true]) {
    await using world = await openExecWorld({ script: { turns: [{ status: 404, body: { error } }] } });
    const { stderr, stdout } = await world.run({ prompt: "Hi", json });
    expect(stderr).toContain("no \\u{202e}such model");
    expect(stderr + stdout).not.toContain("\u202E");
  }
});

test("the final message is all that stdout gets, progress goes to stderr", async () => {
  await using world = await openExecWorld(hello);
  const ran = await world.run({ prompt: "Hi" });
  expect(ran).toMatchObject({ exitCode: 0, stdout: "Hello there.\n" });
  const head = String.raw`session id: [\w-]+ · gpt-5 \(test\) · read-only · \S+/work\n`;
  const usage = String.raw`tokens: [\d,]+ in, 0 of them cached \(0 %\), \d+ out\n`;
  expect(ran.stderr).toMatch(new RegExp(`^${head}${warning}${usage}$`));
});

test("with --json every line of stdout is one event, from thread.started to one terminal event", async () => {
  await using world = await openExecWorld(hello);
  const ran = await world.run({ prompt: "Hi", json: true });
  expect(ran.exitCode).toBe(0);
  expect(ran.stderr).toMatch(new RegExp(`^session id: [\\w-]+ · .+\n${warning}$`));
  expect(ran.events.map((event) => event["type"])).toEqual([
    "thread.started",
    "turn.started",
    "input.received",
    "request.started",
    "item.completed",
    "request.completed",
    "turn.completed",
  ]);
  expect(ran.events[1]).toEqual({
    type: "turn.started",
    turn_id: expect.any(String) as string,
    context_window: 272_000,
    context_window_origin: "catalogue",
  });
  expect(ran.events[2]).toEqual({ type: "input.received", input: [{ type: "text", text: "Hi" }] });
  expect(ran.events[3]).toEqual({ type: "request.started", items: expect.any(Number) as number, is_beside: false });
  expect(ran.events[4]).toEqual({
    type: "item.completed",
    item: { id: "item_0", type: "agent_message", text: "Hello there." },
  });
});

test("a command is run, shown while it runs, and its output goes back to the model", async () => {
  const turns = [
    { items: [{ call: "exec_command", arguments: { cmd: "echo out; echo err >&2", login: false } }] },
    { items: [{ text: "Done." }], expect: { lastInputContains: "Exit code: 0" } },
  ];
  await using world = await openExecWorld({ script: { turns } });
  const ran = await world.run({ prompt: "Run it", sandbox: "danger-full-access", json: true });
  const items = ran.events.flatMap((event) => (event["type"] === "item.completed" ? [event["item"]] : []));
  expect(items).toEqual([
    {
      id: "item_0",
      type: "command_execution",
      command: "echo out; echo err >&2",
      aggregated_output: "out\nerr\n",
      exit_code: 0,
      status: "completed",
      cwd: world.work,
      call_id: expect.any(String) as string,
      started_at: expect.any(Number) as number,
      duration_ms: expect.any(Number) as number,
    },
    { id: "item_1", type: "agent_message", text: "Done." },
  ]);
});

test("commands that run side by side are named with their output", async () => {
  const commands = ["cat one", "cat two"].map((command) => ({
    call: "exec_command",
    arguments: { cmd: command, login: false },
  }));
  await using world = await openExecWorld({ script: { turns: [{ items: commands }, { items: [{ text: "Done." }] }] } });
  for (const name of ["one", "two"]) await writeFile(join(world.work, name), `this is ${name}\n`);
  const { stderr } = await world.run({ prompt: "Go", sandbox: "danger-full-access" });
  for (const name of ["one", "two"]) expect(stderr).toContain(`$ cat ${name}\n  this is ${name}\n  exit 0\n`);
});

test("without a key but with a variable for one, nothing stands in for the model", async () => {
  await using world = await openExecWorld(hello);
  const env = { CODEX_HOME: join(world.home, "empty"), OPENAI_API_KEY: "" };
  const ran = await world.run({ prompt: "Hi" }, { env });
  expect(ran).toMatchObject({ exitCode: 6, stderr: expect.stringContaining("set OPENAI_API_KEY") });
});

test("a patch changes the files and is shown with them", async () => {
  const patch = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch";
  const turns = [{ items: [{ custom: "apply_patch", input: patch }] }, { items: [{ text: "Done." }] }];
  await using world = await openExecWorld({ script: { turns } });
  const ran = await world.run({ prompt: "Add it", sandbox: "danger-full-access", model: "gpt-5-codex" });
  expect(ran.stderr).toContain("patched\n  A a.txt\n");
  expect(await readFile(join(world.work, "a.txt"), "utf8")).toBe("one\n");
});

test("stdin alone is the prompt, and with an argument it follows as a block", async () => {
  const turns = [
    { items: [{ text: "1" }], expect: { lastInputContains: "from stdin" } },
    { items: [{ text: "2" }], newEpoch: true, expect: { lastInputContains: "Look:\n\n<stdin>\nfrom stdin\n</stdin>" } },
  ];
  await using world = await openExecWorld({ script: { turns } });
  const stdin = (): { stream: Readable; kind: "file" } => ({ stream: Readable.from(["from stdin\n"]), kind: "file" });
  expect(await world.run({ prompt: "-" }, { stdin: stdin() })).toMatchObject({ exitCode: 0, stdout: "1\n" });
  expect(await world.run({ prompt: "Look:" }, { stdin: stdin() })).toMatchObject({ exitCode: 0, stdout: "2\n" });
});

test("a pipe on stdin that never says anything does not hold a prompt up", async () => {
  await using world = await openExecWorld(hello);
  const ran = await world.run({ prompt: "Hi" }, { stdin: { stream: new PassThrough(), kind: "silent" } });
  expect(ran).toMatchObject({ exitCode: 0, stdout: "Hello there.\n" });
  expect(ran.stderr).toContain("stdin is open but empty");
});

test("a program that pipes into stdin is waited for, however long it says nothing", async () => {
  await using world = await openExecWorld({
    script: { turns: [{ items: [{ text: "1" }], expect: { lastInputContains: "<stdin>\nlate\n</stdin>" } }] },
  });
  const stream = new PassThrough();
  const hasWriter = (): boolean => {
    stream.end("late\n");
    return true;
  };
  const ran = await world.run({ prompt: "Look:" }, { stdin: { stream, kind: "silent", hasWriter } });
  expect(ran).toMatchObject({ exitCode: 0, stdout: "1\n" });
  expect(ran.stderr).toContain("Waiting for piped input on stdin; use </dev/null to ignore it.");
});

test("-o writes the final message to the file, whole", async () => {
  await using world = await openExecWorld(hello);
  await writeFile(join(world.work, "last.txt"), "an older and longer message");
  expect((await world.run({ prompt: "Hi", outputLastMessage: "last.txt" })).exitCode).toBe(0);
  expect(await readFile(join(world.work, "last.txt"), "utf8")).toBe("Hello there.");
});

test("an answer that does not fit --output-schema is asked for again, and then fails the turn", async () => {
  const turns = [{ items: [{ text: "No JSON." }] }, { items: [{ text: "{}" }] }, { items: [{ text: '{"answer":1}' }] }];
  await using world = await openExecWorld({ script: { turns: [...turns, ...turns] } });
  await writeFile(join(world.work, "schema.json"), '{"type":"object","required":["answer"]}');
  const task = { prompt: "Hi", outputSchema: "schema.json", outputLastMessage: "last.txt", json: true };
  const repaired = await world.run(task);
  expect(repaired.exitCode).toBe(0);
  expect(await readFile(join(world.work, "last.txt"), "utf8")).toBe('{"answer":1}');
  expect(JSON.stringify(world.model.requests[2]?.input.at(-1))).toContain("does not have required property");
  await rm(join(world.work, "last.txt"));
  const ran = await world.run({ ...task, schemaRepairs: 1 });
  expect(ran.exitCode).toBe(9);
  expect(ran.events.at(-1)).toMatchObject({ type: "turn.failed", error: { code: "schema_mismatch" } });
  await expect(readFile(join(world.work, "last.txt"))).rejects.toThrow("ENOENT");
});

test("an answer that fits --output-schema completes, and the schema is sent", async () => {
  const turns = [
    {
      items: [{ text: '{"answer":1}' }],
      expect: { body: { text: { format: { type: "json_schema", strict: true, schema: { type: "object" } } } } },
    },
  ];
  await using world = await openExecWorld({ script: { turns } });
  await writeFile(join(world.work, "schema.json"), '{"type":"object"}');
  expect(await world.run({ prompt: "Hi", outputSchema: "schema.json" })).toMatchObject({
    exitCode: 0,
    stdout: '{"answer":1}\n',
  });
});

test("a signal interrupts the turn, which still ends with one terminal event", async () => {
  await using world = await openExecWorld({ script: { turns: [{ items: [], end: "none", keepOpen: true }] } });
  const interruption: { send?: () => void } = {};
  const ran = await world.run(
    { prompt: "Hi", json: true },
    {
      onStart: (send) => (interruption.send = () => send("SIGINT")),
      onStdout: (text) => text.includes("turn.started") && interruption.send?.(),
    },
  );
  expect(ran.exitCode).toBe(130);
  expect(ran.events.filter((event) => /^turn\.(completed|failed)/.test(String(event["type"])))).toMatchObject([
    { type: "turn.failed", error: { code: "interrupted" } },
  ]);
});

test("a reader that goes away stops the run as a broken pipe would", async () => {
  await using world = await openExecWorld({
    script: { turns: [{ items: [{ text: "x".repeat(500) }], eventDelayMs: 5 }] },
  });
  const stdout = new PassThrough();
  stdout.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  const ran = await world.run({ prompt: "Hi", json: true }, { stdout });
  expect(ran.exitCode).toBe(141);
});

test("reasoning effort, summary and verbosity go to the server behind the input", async () => {
  const turns = [
    { items: [{ text: "1" }], expect: { body: { reasoning: { effort: "high" }, text: { verbosity: "low" } } } },
  ];
  await using world = await openExecWorld({ script: { turns } });
  const config = ['model_reasoning_effort="high"', "model_verbosity=low"];
  expect((await world.run({ prompt: "Hi", model: "gpt-5", config })).exitCode).toBe(0);
});

test("without any key or provider the demo model answers, and a notice says so", async () => {
  await using world = await openExecWorld(hello);
  const ran = await world.run({ prompt: "Who are you?" }, { env: { CODEX_HOME: join(world.home, "empty") } });
  expect(ran.exitCode).toBe(0);
  expect(ran.stderr).toContain("the built-in demo model answers");
  expect(ran.stdout).toContain("demo");
});

test("a terminal shows a running command's time and last line, and keeps no more of it than a pipe does", async () => {
  // the row may have been painted, without it, just before the first one comes
  const command = { call: "exec_command", arguments: { cmd: "echo two; sleep 0.15; echo two" } };
  const turns = [{ items: [command] }, { items: [{ text: "Done." }] }];
  await using world = await openExecWorld({ script: { turns: [...turns, ...turns] } });
  const task = { prompt: "Go", color: "never", sandbox: "danger-full-access" } as const;
  const shown = await world.run(task, { columns: 300 });
  expect(shown.stderr.split("\r\u001b[K")).toContainEqual(expect.stringMatching(/^ {2}\d+ s {2}two/));
  const piped = await world.run(task);
  expect(piped.stderr).not.toContain("\u001b");
  // what a terminal leaves standing: each row from its last return on
  const rows = shown.stderr.split("\n").map((row) => row.split("\r\u001b[K").at(-1) ?? "");
  const withoutId = (text: string) => text.replaceAll(/session id: [^$]+/g, "");
  expect(withoutId(rows.join("\n"))).toBe(withoutId(piped.stderr));
});

test("images come one by one, or separated by commas; a comma in a file's own name does not end it", async () => {
  await using world = await openExecWorld({ script: { turns: [{ items: [{ text: "Seen." }] }] } });
  for (const name of ["a.png", "b.png", "c,d.png"]) await writeFile(join(world.work, name), onePixel);
  expect(await world.run({ prompt: "Look", image: ["a.png,b.png", "c,d.png"] })).toMatchObject({ exitCode: 0 });
  expect(JSON.stringify(world.model.requests[0]?.input).match(/"type":"input_image"/g)).toHaveLength(3);
});

const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const addFile = {
  items: [{ custom: "apply_patch", input: "*** Begin Patch\n*** Add File: new.txt\n+one\n*** End Patch\n" }],
};

test("a run that is read-only says once how to let the model edit, by its approval policy, and not to the model", async () => {
  const readOnly = /^This thread is read-only, .* --sandbox workspace-write .*\n/m;
  const asks = /^The approval policy untrusted asks before each edit, .* -a on-request .*\n/m;
  const cases = [
    [{ sandbox: "read-only" }, readOnly],
    [{ sandbox: "read-only", askForApproval: "never" }, readOnly],
    [{ sandbox: "read-only", askForApproval: "untrusted" }, asks],
    [{ sandbox: "workspace-write", askForApproval: "untrusted" }, asks],
  ] as const;
  for (const [options, notice] of cases) {
    await using world = await openExecWorld({ script: { turns: [addFile, addFile, { items: [{ text: "Done." }] }] } });
    const { stderr } = await world.run({ prompt: "Go", ...options });
    expect(stderr).toMatch(notice);
    expect(stderr.replace(notice, "")).not.toMatch(/workspace-write \(or|-a on-request/);
    expect(stderr.includes(", and --sandbox workspace-write")).toBe(options.sandbox === "read-only" && notice === asks);
    expect(JSON.stringify(world.model.requests.at(-1)?.body)).not.toContain("--sandbox workspace-write");
  }
  await using plain = await openExecWorld({ script: { turns: [addFile, { items: [{ text: "Done." }] }] } });
  expect((await plain.run({ prompt: "Go", sandbox: "workspace-write" })).stderr).not.toContain("config.toml");
});

test("before its first request, a run says once that commands run in the weaker sandbox, without any, or not at all", async () => {
  const missing = '[programs]\nbwrap = "/proc/nowhere/bwrap"\n';
  const weaker = `${missing}[sandbox]\nallow_weaker = true\n`;
  const isLandlock = /^Commands run in the weaker sandbox \(sandbox\.allow_weaker\)\. .*Correct it, or remove it/m;
  const isRefused = /^Commands cannot run here: .*\/proc\/nowhere\/bwrap does not exist.*Correct it, or remove it/m;
  const isNone = /^Commands run without a sandbox \(danger-full-access\)/m;
  const cases = [
    [weaker, "read-only", isLandlock],
    [weaker, "danger-full-access", isNone],
    [missing, "read-only", isRefused],
    ["[sandbox]\nallow_weaker = true\n", "read-only", hasSandbox ? null : /^Commands (?:cannot )?run /m],
    ["", "read-only", hasSandbox ? null : /^Commands cannot run /m],
  ] as const;
  for (const [config, sandbox, notice] of cases) {
    await using world = await openExecWorld({ respond: () => ({ items: [{ text: "Hello." }] }) }, config);
    const { stderr } = await world.run({ prompt: "Hi", sandbox });
    const before = stderr.search(/^Commands (?:cannot )?run /m);
    expect(before >= 0 && before < stderr.indexOf("tokens:")).toBe(notice !== null);
    expect(stderr).toMatch(notice ?? /^session id/);
  }
});
