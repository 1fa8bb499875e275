import { appendFileSync, existsSync, globSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openProgramStore } from "@unroll/program";
import { expect, test } from "vitest";
import { openInProcessWorld } from "./run-in-process.ts";

const now = Date.parse("2026-08-01T12:00:00Z");
const dayMs = 24 * 60 * 60 * 1000;

interface World extends AsyncDisposable {
  readonly codexHome: string;
  /** Begins a thread that was used so many days ago. */
  write(thread: {
    readonly id: string;
    readonly cwd: string;
    readonly days: number;
    readonly parent?: string;
  }): Promise<string>;
  /** The output of a command line; `answer`: the text that the user types at a terminal. */
  run(args: readonly string[], answer?: string): Promise<string>;
}

async function openWorld(): Promise<World> {
  const world = await openInProcessWorld();
  const { codexHome } = world;
  return {
    codexHome,
    async write({ id, cwd, days, parent }) {
      const store = await openProgramStore(
        { codexHome },
        { now: () => now - days * dayMs, pid: process.pid, elapsed: Date.now, newId: () => "", cwd: "/", env: {} },
      );
      const meta = { threadId: id, cwd, userAgent: "test", modelProvider: "p", forkedFrom: null };
      const of = parent === undefined ? {} : { parent: { threadId: parent, depth: 1 } };
      const journal = await store.create({ ...meta, ...of });
      const item = { type: "message", role: "user", content: [{ type: "input_text", text: `Say ${id}` }] } as const;
      journal.record({ type: "thread.opened", threadId: id, model: "m", provider: "p", head: null });
      journal.record({ type: "turn.started", turnId: "one" });
      journal.record({ type: "item", item: { item, bytes: new TextEncoder().encode(JSON.stringify(item)) } });
      await journal[Symbol.asyncDispose]();
      const path = globSync(join(codexHome, `sessions/*/*/*/*-${id}.jsonl`))[0] ?? "";
      utimesSync(path, new Date(now), new Date(now - days * dayMs));
      return path;
    },
    async run(args, answer) {
      let printed = "";
      const onOutput = (piece: string): void => void (printed += piece);
      const typed = answer === undefined ? {} : { answer };
      const { exitCode } = await world.run(args, { cwd: "/a", now: () => now, onOutput, ...typed });
      return `${printed}(${exitCode})`;
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

test("threads are listed for this folder, another one or all, as many as are asked for, and archived ones apart", async () => {
  await using world = await openWorld();
  expect(await world.run(["threads", "list"])).toBe("No saved threads yet.\n(0)");
  await world.write({ id: "one", cwd: "/a", days: 3 });
  await world.write({ id: "two", cwd: "/b", days: 2 });
  await world.write({ id: "three", cwd: "/a", days: 1 });
  const line = (id: string, days: number, more: string): string =>
    `${id}     ${days} d ago     1 turn                           ${more}\n`;
  expect(await world.run(["threads", "list"])).toBe(`${line("three", 1, "Say three")}${line("one", 3, "Say one")}(0)`);
  expect(await world.run(["threads", "list", "--all", "--limit", "2"])).toBe(
    `${line("three", 1, "/a  Say three")}${line("two", 2, "/b  Say two")}… and more: use --limit 8, or 0 for all\n(0)`,
  );
  expect(await world.run(["threads", "list", "--cwd", "../b"])).toBe(`${line("two", 2, "Say two")}(0)`);
  expect(await world.run(["threads", "list", "--cwd", "/c"])).toMatch(/^No saved threads in \/c\. --all lists/);
  expect(await world.run(["threads", "archive", "one", "tw"])).toMatch(/^archived one: .*\narchived two: .*\n\(0\)$/);
  expect(await world.run(["threads", "list", "--all", "--archived", "--json"])).toBe(
    ["two", "one"]
      .map((id, n) => ({
        thread_id: id,
        created_at: new Date(now - (2 + n) * dayMs).toISOString(),
        used_at: new Date(now - (2 + n) * dayMs).toISOString(),
        cwd: n === 0 ? "/b" : "/a",
        branch: null,
        name: null,
        title: `Say ${id}`,
        model: "m",
        turns: 1,
        usage: null,
        cost_usd: null,
        archived: true,
        forked_from_id: null,
        forked_turns: null,
        parent_id: null,
      }))
      .map((json) => `${JSON.stringify(json)}\n`)
      .join("") + "(0)",
  );
  expect(await world.run(["threads", "unarchive", "none"])).toMatch(/There is no thread none.*\n\(2\)$/);
  expect(await world.run(["threads", "unarchive", "one"])).toMatch(/^restored one: .*\n\(0\)$/);
});

test("a list tells what a thread cost by the price of its model", async () => {
  await using world = await openWorld();
  const path = await world.write({ id: "one", cwd: "/a", days: 1 });
  const total_token_usage = { input_tokens: 1_000_000, cached_input_tokens: 500_000, output_tokens: 100_000 };
  const lines = [
    { type: "session_meta", payload: { id: "one", timestamp: new Date(now), cwd: "/a", model_provider: "openai" } },
    { type: "turn_context", payload: { model: "gpt-5" } },
    { type: "event_msg", payload: { type: "token_count", info: { total_token_usage } } },
  ];
  writeFileSync(path, lines.map((line) => `${JSON.stringify({ timestamp: new Date(now), ...line })}\n`).join(""));
  expect(await world.run(["threads", "list"])).toMatch(/ 1\.1M tokens {3}\$1\.6875\n\(0\)$/);
  expect(await world.run(["threads", "list", "--json"])).toContain('"cost_usd":1.6875,');
});

test("deleting asks at a terminal and wants --force elsewhere, and deletes nothing where one of the ids is wrong", async () => {
  await using world = await openWorld();
  const paths = [];
  for (const id of ["ab", "ac", "b"]) paths.push(await world.write({ id, cwd: "/a", days: 1 }));
  expect(await world.run(["threads", "delete", "b"])).toMatch(/use --force\. Nothing was deleted\.\n\(2\)$/);
  expect(await world.run(["threads", "delete", "b", "a", "--force"])).toMatch(
    /2 threads begin with a: .*\n  ac\n  ab\n\(2\)$/,
  );
  expect(await world.run(["threads", "delete", "b"], "n")).toMatch(
    /^b: .*\n[^]*Delete this thread permanently\? [^]*Nothing was deleted\.\n\(0\)$/,
  );
  expect(paths.map((path) => existsSync(path))).toEqual([true, true, true]);
  expect(await world.run(["threads", "delete", "b"], "y")).toMatch(/deleted b\n\(0\)$/);
  expect(await world.run(["threads", "delete", "ab", "ac", "--force"])).toBe("deleted ab\ndeleted ac\n(0)");
  expect(paths.map((path) => existsSync(path))).toEqual([false, false, false]);
});

test("old unused files are listed, and deleted on request", async () => {
  await using world = await openWorld();
  await world.write({ id: "old", cwd: "/a", days: 100 });
  await world.write({ id: "new", cwd: "/a", days: 10 });
  const said = "old  used 100 d ago  870 B  /a  Say old\n";
  expect(await world.run(["threads", "gc", "--dry-run"])).toBe(`${said}Would delete 1 thread, 870 B.\n(0)`);
  expect(await world.run(["threads", "gc"])).toMatch(/use --force\. Nothing was deleted\.\n\(2\)$/);
  expect(await world.run(["threads", "gc", "--force"])).toBe(`${said}Deleted 1 thread, 870 B.\n(0)`);
  expect(await world.run(["threads", "gc", "--older-than", "20"])).toBe(
    "All threads were used within the last 20 days.\n(0)",
  );
  expect(await world.run(["threads", "gc", "--older-than", "soon"])).toMatch(
    /It must be a whole number, 0 or more\.\n\(2\)$/,
  );
});

test("gc removes the rest of a thread whose process was killed while it started, and reports it", async () => {
  await using world = await openWorld();
  const left = (await world.write({ id: "one", cwd: "/a", days: 1 })).replace("-one.", "-two.");
  writeFileSync(`${left}.part`, '{"timestamp"');
  writeFileSync(`${left}.lock`, "");
  for (const mark of ["part", "lock"]) utimesSync(`${left}.${mark}`, 0, 0);
  const none = "All threads were used within the last 90 days.\n";
  expect(await world.run(["threads", "gc", "--dry-run"])).toBe(`${none}(0)`);
  expect(existsSync(`${left}.part`)).toBe(true);
  expect(await world.run(["threads", "gc"])).toBe(
    `${none}Removed leftovers of 1 thread that ended before anything was saved.\n(0)`,
  );
  expect(globSync(`${left}*`)).toEqual([]);
  expect(await world.run(["threads", "gc"])).toBe(`${none}(0)`);
});

test("repair fixes a broken file, and prints its changes", async () => {
  await using world = await openWorld();
  const path = await world.write({ id: "one", cwd: "/a", days: 1 });
  expect(await world.run(["threads", "repair", "o"])).toBe("one needs no repair.\n(0)");
  appendFileSync(path, '{"torn');
  expect(await world.run(["threads", "repair", "o"])).toBe(
    `The last line was cut off: it was left out (line 6).\nRepaired ${path}. The old one is ${path}.before-repair-2026-08-01T12-00-00.000Z.\n(0)`,
  );
});

test("the threads that a thread started are listed, wherever they are", async () => {
  await using world = await openWorld();
  await world.write({ id: "one", cwd: "/a", days: 3 });
  expect(await world.run(["threads", "list", "--parent", "o"])).toBe("one has started no threads.\n(0)");
  await world.write({ id: "child", cwd: "/b", days: 2, parent: "one" });
  expect(await world.run(["threads", "list", "--parent", "o"])).toMatch(/^child +2 d ago .*\n\(0\)$/);
  const json = await world.run(["threads", "list", "--all", "--json"]);
  const lines = json.split("\n").slice(0, 2);
  expect(lines.map((line) => (JSON.parse(line) as { readonly parent_id: unknown }).parent_id)).toEqual(["one", null]);
  expect(await world.run(["threads", "list", "--parent", "two"])).toMatch(/There is no thread two.*\n\(2\)$/);
});

test("a thread goes out and in byte for byte, and other files are refused", async () => {
  await using world = await openWorld();
  const path = await world.write({ id: "one", cwd: "/a", days: 1 });
  const [bytes, file] = [readFileSync(path), join(world.codexHome, "out.jsonl")];
  expect(await world.run(["threads", "export", "one", "--jsonl", file])).toBe(`written: ${file}\n(0)`);
  expect(readFileSync(file)).toEqual(bytes);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await world.run(["threads", "import", file])).toBe(
    `unroll: There is a thread one already: ${path}. It is unchanged.\n(2)`,
  );
  await world.run(["threads", "delete", "one", "--force"]);
  const imported = await world.run(["threads", "import", file]);
  const place = /^imported one: (.+)\n\(0\)$/.exec(imported)?.[1] ?? imported;
  expect(readFileSync(place)).toEqual(bytes);
  writeFileSync(file, '{"type":"session_meta","payload":{"id":"../../evil","timestamp":"2026-01-01T00:00:00Z"}}\n');
  expect(await world.run(["threads", "import", file])).toBe(
    `unroll: ${file}: This is not a thread: its session_meta has no valid id.\n(2)`,
  );
  expect(await world.run(["threads", "import", "none.jsonl"])).toBe(
    "unroll: /a/none.jsonl cannot be read: it does not exist.\n(2)",
  );
});
