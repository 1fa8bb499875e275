import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { link, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { expect, test } from "vitest";
import { type ExecWorld, openExecWorld, type RanExec } from "./exec-world.ts";

const unasked = { script: { turns: [] } };
const hello = { items: [{ text: "Hello." }] };

/** One sentence on stderr, one terminal event on stdout, and an exit code that is not 0. */
function expectFailure(ran: RanExec, exitCode: number, message: RegExp): void {
  expect(ran.stderr.trim().split("\n").at(-1)).toMatch(message);
  expect(ran.exitCode).toBe(exitCode);
  const ends = ran.events.filter((event) => /^turn\.(completed|failed)$/.test(String(event["type"])));
  expect(ends).toEqual([expect.objectContaining({ type: "turn.failed" })]);
}

test("an empty prompt is refused", async () => {
  await using world = await openExecWorld(unasked);
  expectFailure(await world.run({ prompt: " ", json: true }), 2, /The prompt is empty/);
  expectFailure(await world.run({ json: true }), 2, /The prompt is empty/);
  const stdin = { stream: Readable.from([]), kind: "terminal" } as const;
  expectFailure(await world.run({ json: true }, { stdin }), 2, /There is no prompt/);
});

test("the error for a malformed config names file, line and column", async () => {
  await using world = await openExecWorld(unasked, "model_verbosity = = 1");
  expectFailure(await world.run({ prompt: "Hi", json: true }), 5, /config\.toml:3:\d+: /);
});

test("the error for a value of the wrong type names the expected type", async () => {
  await using world = await openExecWorld(unasked, 'sandbox_mode = "yes"');
  expectFailure(await world.run({ prompt: "Hi", json: true }), 5, /config\.toml:3.*sandbox_mode.*read-only/);
});

test("with --strict-config, an unknown key of a file counts as a wrong config, and one of -c as a wrong call", async () => {
  await using world = await openExecWorld(unasked, "modle = 1");
  expectFailure(
    await world.run({ prompt: "Hi", json: true, strictConfig: true }),
    5,
    /config\.toml:3:1: unknown key modle/,
  );
  const typed = { prompt: "Hi", json: true, strictConfig: true, ignoreUserConfig: true, config: ["modle=1"] };
  expectFailure(await world.run(typed), 2, /-c: unknown key modle/);
});

test("an effort that the model does not take is refused with those that it takes, in a file and in an argument", async () => {
  await using world = await openExecWorld(unasked, 'model_reasoning_effort = "max"');
  const taken =
    /model_reasoning_effort: gpt-5\.2 does not support effort "max", only none, low, medium, high, xhigh\.$/;
  const file = await world.run({ prompt: "Hi", json: true, model: "gpt-5.2" });
  expectFailure(file, 5, new RegExp(String.raw`config\.toml:3:1: ${taken.source}`));
  const argument = { prompt: "Hi", json: true, model: "gpt-5.2", config: ["model_reasoning_effort=max"] };
  expectFailure(await world.run(argument), 2, new RegExp(`-c: ${taken.source}`));
});

test("an override without key=value is refused", async () => {
  await using world = await openExecWorld(unasked);
  expectFailure(
    await world.run({ prompt: "Hi", json: true, config: ["verbosity"] }),
    2,
    /-c verbosity: expected key=value/,
  );
});

test("a missing image and a text file as an image are refused", async () => {
  await using world = await openExecWorld(unasked);
  await writeFile(join(world.work, "text.png"), "not an image");
  expectFailure(await world.run({ prompt: "Hi", json: true, image: ["none.png"] }), 2, /none\.png does not exist/);
  expectFailure(await world.run({ prompt: "Hi", json: true, image: ["text.png"] }), 2, /text\.png is not an image/);
  expectFailure(
    await world.run({ json: true, image: ["a.png", "Look"] }),
    2,
    /If that is the prompt, write -- before it/,
  );
});

test("images and schema files are refused whose path leads to a login, whatever the sandbox", async () => {
  await using world = await openExecWorld(unasked);
  const login = join(world.home, ".codex/auth.json");
  await writeFile(login, JSON.stringify({ OPENAI_API_KEY: "sk-a-key-of-the-login" }));
  await symlink(login, join(world.work, "logo.png"));
  await link(login, join(world.work, "schema.json"));
  const common = { prompt: "Hi", json: true, sandbox: "danger-full-access" } as const;
  const image = await world.run({ ...common, image: ["logo.png"] });
  expectFailure(image, 2, /-i: .*logo\.png leads to a file of unroll's own folder: it was not read\./);
  const schema = await world.run({ ...common, outputSchema: "schema.json" });
  expectFailure(schema, 2, /--output-schema: .*schema\.json is another name of a hidden file .*: it was not used\./);
});

test("an instruction file that cannot be read is refused", async () => {
  await using world = await openExecWorld(unasked);
  const config = [`model_instructions_file="${join(world.work, "none.md")}"`];
  expectFailure(await world.run({ prompt: "Hi", json: true, config }), 2, /none\.md/);
});

test("a schema file that is missing, not JSON or not a schema is refused with the place", async () => {
  await using world = await openExecWorld(unasked);
  const files = { "bad.json": '{"a":\n 1,}', "list.json": "[]", "type.json": '{"properties":{"a":{"type":"text"}}}' };
  for (const [name, text] of Object.entries(files)) await writeFile(join(world.work, name), text);
  const run = (outputSchema: string): Promise<RanExec> => world.run({ prompt: "Hi", json: true, outputSchema });
  expectFailure(await run("none.json"), 2, /--output-schema none\.json: cannot be read: it does not exist\./);
  expectFailure(await run("bad.json"), 2, /bad\.json: not valid JSON: .*line 2/);
  expectFailure(await run("list.json"), 2, /list\.json: a JSON Schema object is expected/);
  expectFailure(
    await run("type.json"),
    2,
    /type\.json: not a JSON Schema: \/properties\/a\/type: "text" is not one of/,
  );
});

test("a named pipe as a schema or a config file is refused, not waited for", async () => {
  await using world = await openExecWorld(unasked);
  execFileSync("mkfifo", [join(world.work, "pipe")]);
  const outputSchema = "pipe";
  expectFailure(await world.run({ prompt: "Hi", json: true, outputSchema }), 2, /schema pipe: .*not a regular file\./);
  await rm(join(world.home, ".codex/config.toml"));
  execFileSync("mkfifo", [join(world.home, ".codex/config.toml")]);
  expectFailure(
    await world.run({ prompt: "Hi", json: true }),
    5,
    /config\.toml cannot be read: .*not a regular file\./,
  );
});

test("a place that -o cannot write to is refused before anything is asked", async () => {
  await using world = await openExecWorld(unasked);
  await mkdir(join(world.work, "folder"));
  const run = (outputLastMessage: string): Promise<RanExec> =>
    world.run({ prompt: "Hi", json: true, outputLastMessage });
  expectFailure(await run("folder"), 2, /-o folder: is a folder/);
  expectFailure(await run("none/last.txt"), 2, /-o none\/last\.txt: cannot be written: its folder does not exist\./);
});

test.runIf(existsSync("/dev/full"))(
  "a full disk under -o fails a run that was paid for, with exit code 1",
  async () => {
    await using world = await openExecWorld({ script: { turns: [hello] } });
    const ran = await world.run({ prompt: "Hi", outputLastMessage: "/dev/full" });
    expect(ran.stderr).toContain("-o /dev/full: could not be written: no space left on the disk.");
    expect(ran.exitCode).toBe(1);
  },
);

test("a working folder that is not there is refused", async () => {
  await using world = await openExecWorld(unasked);
  expectFailure(await world.run({ prompt: "Hi", json: true, cd: "none" }), 2, /none/);
});

test("a provider whose key is not set is refused with the variable's name", async () => {
  await using world = await openExecWorld(unasked);
  const config = ['model_providers.test.env_key="SOME_KEY"'];
  expectFailure(await world.run({ prompt: "Hi", json: true, config }), 6, /set SOME_KEY/);
});

/** Retries would take seconds and are another test's. */
const noRetries = "[model_providers.test]\nrequest_max_retries = 0\nstream_max_retries = 0\n";
async function openUnreliableWorld(turn: object): Promise<ExecWorld> {
  const world = await openExecWorld({ script: { turns: [turn as typeof hello] } });
  const file = join(world.home, ".codex/config.toml");
  await writeFile(
    file,
    `model = "m"\nmodel_provider = "test"\n${noRetries}name = "test"\npreset = "openai"\nbase_url = "${world.model.url}"\n`,
  );
  return world;
}

test("a server that is not there fails the turn", async () => {
  const world = await openUnreliableWorld(hello);
  await world.model.close();
  const ran = await world.run({ prompt: "Hi", json: true });
  await world[Symbol.asyncDispose]();
  expectFailure(ran, 1, /127\.0\.0\.1/);
});

test("a server that answers garbage, closes early or says no fails the turn and keeps the key to itself", async () => {
  const turns = [
    { raw: "data: {not json}\n\n" },
    { raw: "<html>Bad gateway</html>", headers: { "content-type": "text/html" } },
    { items: [{ text: "cut" }], cut: { afterEvents: 4, how: "close" } },
    { items: [{ text: "cut" }], end: "none" },
    { status: 400, body: { error: { code: "bad", message: "No such model for key secret-value-1234567890." } } },
    { items: [], end: { failed: { code: "server_error", message: "Broken." } } },
    { items: [], end: { incomplete: "max_output_tokens" } },
  ];
  for (const turn of turns) {
    await using world = await openUnreliableWorld(turn);
    const config = ['model_providers.test.env_key="MY_KEY"'];
    const ran = await world.run({ prompt: "Hi", json: true, config }, { env: { MY_KEY: "secret-value-1234567890" } });
    expectFailure(ran, 1, /^unroll: \S/);
    expect(ran.stdout + ran.stderr).not.toContain("secret-value");
  }
});

test("without a sandbox the turn ends at the first command, which ran nowhere, with a code of its own", async () => {
  const touch = { items: [{ call: "exec_command", arguments: { cmd: "touch made" } }] };
  await using world = await openExecWorld({ script: { turns: [touch, { items: [{ text: "Done." }] }] } });
  await symlink("elsewhere", join(world.work, ".codex")); // no wall can hold a link in its place
  const ran = await world.run({ prompt: "Go", json: true, sandbox: "workspace-write" });
  expect(ran.exitCode).toBe(8);
  expect(ran.events.filter(({ type }) => type === "item.completed" || type === "turn.failed")).toMatchObject([
    { item: { type: "command_execution", status: "declined", code: "sandbox_unavailable" } },
    {
      error: {
        code: "sandbox_unavailable",
        message: expect.stringContaining("The notice before the first request says why") as string,
      },
    },
  ]);
  expect(world.model.requests).toHaveLength(1);
});

test("a sandbox that cannot do what is set is explained once, before the first request", async () => {
  const touch = { items: [{ call: "exec_command", arguments: { cmd: "touch made" } }] };
  const missing = '[programs]\nbwrap = "/proc/nowhere/bwrap"\n';
  const weaker = `${missing}[sandbox]\nallow_weaker = true\n[sandbox_workspace_write]\nnetwork = { allow = ["a.example"] }\n`;
  const reasons = [
    [missing, "The program /proc/nowhere/bwrap does not exist"],
    [weaker, "hosts by name (sandbox_workspace_write.network) need bubblewrap"],
    ["", hasSandbox ? ".codex is a symlink, which cannot be protected" : "Commands cannot run here"],
  ] as const;
  for (const [config, reason] of reasons) {
    await using world = await openExecWorld({ script: { turns: [touch] } }, config);
    if (config === "") await symlink("elsewhere", join(world.work, ".codex"));
    const { exitCode, stderr } = await world.run({ prompt: "Go", sandbox: "workspace-write" });
    const lines = stderr.split("\n").filter((line) => /^Commands|^unroll: |declined|need/.test(line));
    expect([exitCode, lines]).toEqual([
      8,
      [
        expect.stringContaining(reason) as string,
        "  declined: Commands cannot run here.",
        "unroll: The model cannot run commands here. The notice before the first request says why; unroll doctor has the details.",
      ],
    ]);
  }
});
