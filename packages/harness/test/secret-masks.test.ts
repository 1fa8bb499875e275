import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Journal, JournalEntry, Person, Question, ThreadEvent } from "@unroll/protocol";
import type { Turn } from "@unroll/scripted-model";
import { defineTool } from "@unroll/tools";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { fakeServer, realServer } from "./mcp-servers.ts";
import { openThreadWorld, runToEnd, type ThreadSettings, type ThreadWorld } from "./thread-world.ts";

const token = "dpl-9aQ/x+7Zk2!mN4";
const standIn = "[masked-secret:DEPLOY_TOKEN]";
const env = { DEPLOY_TOKEN: token };
const dotenv = `# deployment\nDEPLOY_TOKEN=${token}\nREGION=eu-1\n`;
const files = { ".env": dotenv };

const shell = (command: string): Turn => ({
  items: [{ call: "exec_command", arguments: { cmd: command, login: false } }],
});
const patch = (...lines: readonly string[]): Turn => ({
  items: [{ custom: "apply_patch", input: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") }],
});
const end: Turn = { items: [{ text: "End." }] };

async function openWorld(...turns: readonly Turn[]): Promise<ThreadWorld> {
  return openThreadWorld({ script: { turns: [...turns, end], atEnd: "repeat-last" } }, { files });
}

/** Runs one turn and looks for the value in all that was sent and told. */
async function run(world: ThreadWorld, settings: ThreadSettings = {}): Promise<readonly ThreadEvent[]> {
  await using thread = await world.openThread({ env, ...settings });
  const { events } = await runToEnd(thread, "Go");
  expectHidden(world, events);
  return events;
}

function expectHidden(world: ThreadWorld, events: readonly ThreadEvent[], value = token): void {
  const deltas = events.map((event) => (event.type === "item.delta" ? event.delta : "")).join("");
  const told = [...events.map((event) => JSON.stringify(event)), deltas];
  const sent = world.model.requests.map(({ raw }) => raw.toString("utf8"));
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    btoa(value),
    btoa(value).slice(0, -4),
  ];
  for (const text of [...told, ...sent]) for (const form of forms) expect(text).not.toContain(form);
  expect(world.model.violations).toEqual([]);
}

function outputsOf(world: ThreadWorld): readonly string[] {
  const input = world.model.requests.at(-1)?.input ?? [];
  return input.flatMap((item) => (typeof item["output"] === "string" ? [item["output"]] : []));
}

const notesOf = (world: ThreadWorld): number =>
  JSON.stringify(world.model.requests.at(-1)?.input).split("<masked_secrets>").length - 1;
const read = (world: ThreadWorld, name: string): Promise<string> => readFile(join(world.work, name), "utf8");

describe("a known credential does not reach the model, nor an event", () => {
  test("from a file that a command prints: the same file gives the same bytes, and stand-ins are explained once", async () => {
    await using world = await openWorld(shell("cat .env"), shell("cat .env"));
    const events = await run(world);
    const [first = "", second = ""] = outputsOf(world);
    expect(first).toContain(`Output:\n${dotenv.replace(token, standIn)}`);
    expect(second.replace(/Wall.*/, "")).toBe(first.replace(/Wall.*/, ""));
    expect(notesOf(world)).toBe(1);
    expect(events).toContainEqual({
      type: "item.completed",
      item: expect.objectContaining({ aggregated_output: dotenv.replace(token, standIn), exit_code: 0 }),
    });
  });

  test("in pieces, from both streams, between escape sequences, in base64 and in an address", async () => {
    const script = [
      `for c in $(sed -n 's/DEPLOY_TOKEN=//p' .env | fold -w1); do printf %s "$c"; done; echo`,
      `cat .env >&2`,
      `grep -o 'dpl.*' .env | tr -d '\\n' | base64 -w0; echo`,
      `base64 -w0 .env; echo`,
      `echo "https://host/?t=${encodeURIComponent(token)}"`,
    ];
    await using world = await openWorld(shell(script.join("\n")), shell("grep --color=always 'dpl-9' .env"));
    // the model writes the value itself here, in an address: only the outputs and events are looked at
    await using thread = await world.openThread({ env });
    const { events } = await runToEnd(thread, "Go");
    const told = events.map((event) => JSON.stringify(event)).join("\n");
    const shown = outputsOf(world).join("\n");
    for (const form of [token, encodeURIComponent(token), btoa(token), btoa(dotenv)]) {
      expect(told).not.toContain(form);
      expect(shown).not.toContain(form);
    }
    const expected = [":base64", ":url", ""].map((form) => `[masked-secret:DEPLOY_TOKEN${form}]`);
    for (const each of expected) expect(shown).toContain(each);
    expect(outputsOf(world)[1]).toContain(`DEPLOY_TOKEN=${standIn}\n`);
  });

  test.for([false, true])(
    "from a command that keeps running, nor from its later output (terminal: %s)",
    async (tty) => {
      const args = { cmd: "cat .env; read -r x <down; cat .env", login: false, yield_time_ms: 0, tty };
      const wait = { session_id: 1, yield_time_ms: 60_000 };
      await using world = await openWorld({ items: [{ call: "exec_command", arguments: args }] }, end, {
        items: [{ call: "write_stdin", arguments: wait }],
      });
      execFileSync("mkfifo", ["down"], { cwd: world.work });
      await using thread = await world.openThread({ env, config: ["shell_tool=exec_command"] });
      const first = await runToEnd(thread, "Start it");
      await writeFile(join(world.work, "down"), "go\n");
      const second = await runToEnd(thread, "Wait");
      expectHidden(world, [...first.events, ...second.events]);
      expect(outputsOf(world).join("").split(standIn).length - 1).toBe(2);
    },
  );

  test("from output that lies whole in a file, which holds the stand-in", async () => {
    await using world = await openWorld(shell("seq 1 20000; cat .env; seq 1 20000"));
    await using thread = await world.openThread({ env });
    expectHidden(world, (await runToEnd(thread, "Go")).events);
    const path = /Whole output: (.*)/.exec(outputsOf(world)[0] ?? "")?.[1] ?? "";
    const whole = await readFile(path, "utf8");
    expect(whole).toContain(`DEPLOY_TOKEN=${standIn}\n`);
    expect(whole).not.toContain(token);
  });

  test("from an MCP server, also where it was given to that server alone", async () => {
    const given = 'mcp-"7Zk2mN4';
    await using world = await openWorld({ items: [{ call: "mcp__everything__get-env", arguments: {} }] });
    const [config, extra] = [realServer("everything"), { GITHUB_TOKEN: given, DEPLOY_TOKEN: token }];
    const table = Object.entries(extra).map(
      ([name, value]) => `mcp_servers.everything.env.${name}=${JSON.stringify(value)}`,
    );
    const events = await run(world, { config: [...config, ...table], waitForMcp: true });
    expectHidden(world, events, given);
    expect(outputsOf(world)[0]).toContain("[masked-secret:everything.GITHUB_TOKEN");
    expect(outputsOf(world)[0]).toContain(standIn);
  });

  test("from a tool of a program: its text, its failure, what it tells in pieces", async () => {
    const leak = defineTool({
      name: "leak",
      description: "Leaks.",
      input: z.strictObject({ how: z.string() }),
      async run({ how }, { emit, itemId }) {
        for (const piece of token) {
          await emit({ type: "item.delta", item_id: itemId, kind: "command_output", delta: piece });
        }
        await emit({ type: "warning", message: `It is ${token}.` });
        if (how === "throw") throw new Error(`The key ${token} is wrong.`);
        return { key: token, [token]: [token] };
      },
    });
    const call = (how: string): Turn => ({ items: [{ call: "leak", arguments: { how } }] });
    await using world = await openWorld(call("return"), call("throw"));
    const events = await run(world, { tools: [leak] });
    expect(outputsOf(world)[0]).toBe(`{"key":"${standIn}","${standIn}":["${standIn}"]}`);
    expect(outputsOf(world)[1]).toContain(`The key ${standIn} is wrong.`);
    const live = events.flatMap((event) => (event.type === "item.delta" ? [[event.kind, event.delta]] : []));
    expect(live.slice(0, 2)).toEqual(["command_output", "command_output"].map((kind) => [kind, standIn]));
    expect(live.slice(2).map(([kind]) => kind)).not.toContain("command_output");
  });

  test("from the description of a tool", async () => {
    const input = z.strictObject({ key: z.string().describe(`Such as ${token}.`) });
    const leak = defineTool({ name: "leak", description: `Takes ${token}.`, input, run: async () => "ok" });
    await using world = await openWorld();
    await run(world, { tools: [leak] });
    const listed = JSON.stringify(world.model.requests[0]?.body["tools"]);
    expect([listed.includes(`Takes ${standIn}.`), listed.includes(`Such as ${standIn}.`)]).toEqual([true, true]);
  });

  test("from an MCP server's descriptions of its tools, also in the thread's notes", async () => {
    const tools = [{ name: "leak", description: `Takes ${token}.`, inputSchema: { type: "object", properties: {} } }];
    const entries: JournalEntry[] = [];
    const journal: Journal = { record: (entry) => void entries.push(entry), settled: () => Promise.resolve() };
    await using world = await openWorld();
    await run(world, {
      config: [...fakeServer("fake", { tools }, { enabled_tools: ["leak"] })],
      waitForMcp: true,
      journal,
    });
    const listed = entries.find((entry) => entry.type === "note" && entry.key === "mcpListed");
    expect(JSON.stringify(listed)).toContain(`Takes ${standIn}.`);
    expect(JSON.stringify(entries)).not.toContain(token);
  });

  test("from the name of a server's tool, which is left out with an event that names the server", async () => {
    await using world = await openWorld();
    const key = "deploy-9aQ_x7Zk2_mN4";
    const tools = ["plain", key, `x${key}`].map((name) => ({ name, inputSchema: { type: "object", properties: {} } }));
    const config = fakeServer("fake", { tools }, { enabled_tools: tools.map(({ name }) => name) });
    await using thread = await world.openThread({ env: { DEPLOY_TOKEN: key }, config, waitForMcp: true });
    const { events } = await runToEnd(thread, "Go");
    expectHidden(world, events, key);
    const names = world.model.requests.at(-1)?.body["tools"];
    expect(JSON.stringify(names)).toContain('"mcp__fake__plain"');
    expect(events.filter(({ type }) => type === "mcp.tool_adapted")).toEqual(
      [standIn, `x${standIn}`].map((tool) => ({
        type: "mcp.tool_adapted",
        server: "fake",
        tool,
        name: null,
        reason: "its name holds a credential",
      })),
    );
  });

  test("from the project's AGENTS.md", async () => {
    await using world = await openThreadWorld(
      { script: { turns: [end] } },
      { files: { "AGENTS.md": `Use ${token}.` } },
    );
    await run(world);
    expect(world.model.requests[0]?.raw.toString("utf8")).toContain(`Use ${standIn}.`);
  });
});

describe("a patch", () => {
  const around = ["*** Update File: .env", "@@", ` DEPLOY_TOKEN=${standIn}`, "-REGION=eu-1", "+REGION=us-2"];

  test("around a masked line keeps the value, and shows stand-ins to who is asked", async () => {
    await using world = await openWorld(patch(...around));
    const questions: Question[] = [];
    const person: Person = {
      answer: (question) => {
        questions.push(question);
        return Promise.resolve({ type: "approved.once" });
      },
    };
    await run(world, { person, config: ["sandbox_mode=read-only", "approval_policy=untrusted"] });
    expect(await read(world, ".env")).toBe(dotenv.replace("eu-1", "us-2"));
    expect(questions).toEqual([
      expect.objectContaining({ diff: expect.stringContaining(` DEPLOY_TOKEN=${standIn}\n`) }),
    ]);
    expect(JSON.stringify(questions)).not.toContain(token);
  });

  test("may move the value within its file, and the file with it", async () => {
    const move = ["*** Update File: .env", "*** Move to: conf/.env", "@@", `-DEPLOY_TOKEN=${standIn}`];
    await using world = await openWorld(patch(...move, `+export TOKEN="${standIn}"`), shell("cat conf/.env"));
    await run(world);
    expect(await read(world, "conf/.env")).toBe(dotenv.replace(/^DEPLOY.*$/m, () => `export TOKEN="${token}"`));
    expect(outputsOf(world)[1]).toContain(`export TOKEN="${standIn}"\n`);
  });

  test("that rewrites the whole file keeps the value that it had", async () => {
    await using world = await openWorld(patch("*** Add File: .env", `+DEPLOY_TOKEN=${standIn}`));
    await run(world);
    expect(await read(world, ".env")).toBe(`DEPLOY_TOKEN=${token}\n`);
  });

  test.for([
    ["a new file", ["*** Add File: public.txt", `+${standIn}`]],
    ["another file", ["*** Update File: other.txt", "@@", "-one", `+${standIn}`]],
    [
      "a value in another encoding",
      ["*** Update File: .env", "@@", "-REGION=eu-1", "+A=[masked-secret:DEPLOY_TOKEN:base64]"],
    ],
    ["a stand-in that is not known", ["*** Update File: .env", "@@", "-REGION=eu-1", "+A=[masked-secret:GONE]"]],
  ] as const)("is refused for %s", async ([, lines]) => {
    await using world = await openWorld(patch(...lines));
    await writeFile(join(world.work, "other.txt"), "one\n");
    const events = await run(world);
    expect(outputsOf(world)[0]).toContain("Nothing was written.");
    expect(events).toContainEqual({
      type: "item.completed",
      item: expect.objectContaining({ type: "file_change", status: "failed" }),
    });
    expect([await read(world, ".env"), await read(world, "other.txt")]).toEqual([dotenv, "one\n"]);
    await expect(read(world, "public.txt")).rejects.toThrow("ENOENT");
  });

  test("that does not fit shows the file with stand-ins", async () => {
    await using world = await openWorld(patch("*** Update File: .env", "@@", "-DEPLOY_TOKEN=wrong", "+DEPLOY_TOKEN="));
    await run(world);
    expect(outputsOf(world)[0]).toContain(`DEPLOY_TOKEN=${standIn}`);
  });

  test("may contain a value that the user gave to the model, in any file", async () => {
    await using world = await openWorld(
      patch(
        "*** Update File: .env",
        "@@",
        `-DEPLOY_TOKEN=${token}`,
        "+DEPLOY_TOKEN=new",
        "*** Add File: old",
        `+${token}`,
      ),
    );
    await using thread = await world.openThread({ env });
    await runToEnd(thread, `${token} is old`);
    expect(await read(world, ".env")).toBe(dotenv.replace(token, "new"));
    expect(await read(world, "old")).toBe(`${token}\n`);
  });

  test("of a page that is about stand-ins leaves them as they are", async () => {
    await using world = await openWorld(patch("*** Update File: page.md", "@@", ` Say ${standIn}.`, "-old", "+new"));
    await writeFile(join(world.work, "page.md"), `Say ${standIn}.\nold\n`);
    await run(world);
    expect(await read(world, "page.md")).toBe(`Say ${standIn}.\nnew\n`);
  });
});

test("a command never gets a value for a stand-in", async () => {
  await using world = await openWorld(shell(`cat .env; echo '${standIn}' > out.txt`));
  await run(world);
  expect(await read(world, "out.txt")).toBe(`${standIn}\n`);
});

test("what is typed never gets a value for a stand-in", async () => {
  const start = { cmd: 'read -r line; echo "$line" > out.txt', login: false, yield_time_ms: 0, tty: true };
  const type = { session_id: 1, chars: `${standIn}\n`, yield_time_ms: 60_000 };
  await using world = await openWorld(
    { items: [{ call: "exec_command", arguments: start }] },
    { items: [{ call: "write_stdin", arguments: type }] },
  );
  await run(world, { config: ["shell_tool=exec_command"] });
  expect(await read(world, "out.txt")).toBe(`${standIn}\n`);
});

test("a command that holds a value shows the stand-in in events, and runs as it is", async () => {
  await using world = await openWorld(shell(`echo '${token}' > out.txt`));
  await using thread = await world.openThread({ env });
  const { events } = await runToEnd(thread, "Go");
  expect(await read(world, "out.txt")).toBe(`${token}\n`);
  expect(JSON.stringify(events)).not.toContain(token);
  expect(JSON.stringify(events)).toContain(`echo '${standIn}' > out.txt`);
});

test("a resumed thread has the same stand-ins, whatever the order of the environment, and does not announce them again", async () => {
  const entries: JournalEntry[] = [];
  const journal: Journal = { record: (entry) => void entries.push(entry), settled: () => Promise.resolve() };
  const region = ["*** Update File: .env", "@@", ` DEPLOY_TOKEN=${standIn}`, "-REGION=eu-1", "+REGION=us-2"];
  await using world = await openWorld(shell("cat .env"), end, shell("cat .env"), patch(...region));
  const first = await world.openThread({ env: { A_TOKEN: "another-1", ...env }, journal });
  const { events } = await runToEnd(first, "Go");
  await first[Symbol.asyncDispose]();
  await using second = await world.openThread({
    env: { ...env, A_TOKEN: "another-1" },
    journal,
    entries: [...entries],
  });
  expectHidden(world, [...events, ...(await runToEnd(second, "Go on")).events]);
  const [before = "", after = ""] = outputsOf(world);
  expect(after.replace(/Wall.*/, "")).toBe(before.replace(/Wall.*/, ""));
  expect(notesOf(world)).toBe(1);
  expect(await read(world, ".env")).toBe(dotenv.replace("eu-1", "us-2"));
});

test("mask_secrets = false turns all of it off", async () => {
  await using world = await openWorld(shell("cat .env"), patch("*** Add File: a", `+${standIn}`));
  await using thread = await world.openThread({ env, config: ["mask_secrets=false"] });
  await runToEnd(thread, "Go");
  expect(outputsOf(world)[0]).toContain(`DEPLOY_TOKEN=${token}\n`);
  expect(notesOf(world)).toBe(0);
  expect(await read(world, "a")).toBe(`${standIn}\n`);
});
