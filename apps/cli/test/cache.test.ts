import { lstat, mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openKeptThread, say } from "./kept-thread.ts";

test("cache report tells the last thread of the folder, as a table, as JSON and as a page", async () => {
  await using world = await openKeptThread();
  const { id } = world;
  const report = await world.run(["cache", "report"]);
  expect(report).toEqual({
    exitCode: 0,
    stdout: [
      `thread ${id}`,
      "",
      "request  turn  time (UTC)           input  shared  cached  uncached  written  output     cost  without cache  why it missed the cache",
      "      1     1  2026-05-06 12:00:00  5,000       0       0     5,000        0     200  $0.0083        $0.0083",
      "      2     1  2026-05-06 12:20:00  6,000   5,000       0     6,000        0     200  $0.0095        $0.0095  the request before was 20 min ago",
      "",
      "2 requests in 1 turn: 11,000 tokens in, 0 of them cached (0 %), 400 out",
      "cost: $0.0178, without the cache $0.0178 (list prices)",
      "",
    ].join("\n"),
    stderr: "",
  });
  const json = await world.run(["cache", "report", id, "--json"]);
  expect(
    json.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
  ).toMatchObject([
    { type: "request", request: 1, sent_at: "2026-05-06T12:00:00.000Z", miss: null },
    { type: "request", request: 2, shared_tokens: 5000, miss: { type: "expired" } },
    { type: "thread", thread_id: id, cost_usd: 0.01775, usage: { input_tokens: 11_000 } },
  ]);
  const page = await world.run(["cache", "report", "--html", "cache.html"]);
  expect(page).toMatchObject({ exitCode: 0, stdout: report.stdout, stderr: `written: ${world.work}/cache.html\n` });
  expect(await readFile(join(world.work, "cache.html"), "utf8")).toContain("<svg");
});

test("threads show ends with what the thread used, and says unknown where a price is not known", async () => {
  await using world = await openKeptThread({ provider: "elsewhere" });
  expect((await world.run(["threads", "show", world.id])).stdout).toMatch(
    /\n\n2 requests in 1 turn: 11,000 tokens in, 0 of them cached \(0 %\), 400 out\ncost: unknown \(.*\n$/,
  );
});

test("threads export writes a page and Markdown, with credentials masked, for the user's eyes only", async () => {
  const key = "canary-4711-of-the-test";
  await using world = await openKeptThread({ said: [say("user", `my key is ${key}, <b>bold</b>`)] });
  const env = { OPENAI_API_KEY: key };
  const exported = await world.run(["threads", "export", world.id, "--html", "t.html", "--markdown", "t.md"], env);
  expect(exported).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: `written: ${world.work}/t.html\nwritten: ${world.work}/t.md\n`,
  });
  for (const name of ["t.html", "t.md"]) {
    const path = join(world.work, name);
    const text = await readFile(path, "utf8");
    expect(text).toContain("my key is [masked-secret:OPENAI_API_KEY]");
    expect(text).not.toContain(key);
    expect((await lstat(path)).mode & 0o777).toBe(0o600);
  }
  const printed = await world.run(["threads", "export", "last", "--markdown"], env);
  expect(printed.stdout).toBe(await readFile(join(world.work, "t.md"), "utf8"));
});

test.each([
  [["cache", "report", "none"], "There is no thread none"],
  [["threads", "export", "none", "--markdown"], "There is no thread none"],
  [["threads", "export", "last"], "Choose a format: --html FILE, --markdown [FILE], --atif FILE or --jsonl FILE."],
  [
    ["cache", "report", "--html", "missing/page.html"],
    "missing/page.html cannot be written: its folder does not exist",
  ],
])("unroll %j says what is wrong", async (args, words) => {
  await using world = await openKeptThread();
  const { exitCode, stdout, stderr } = await world.run(args);
  expect({ exitCode: exitCode === 0, stdout, stderr }).toEqual({
    exitCode: false,
    stdout: "",
    stderr: expect.stringContaining(words),
  });
});

test("a page replaces a file, and leaves links, folders and what they lead to alone", async () => {
  await using world = await openKeptThread();
  const cwd = world.work;
  await writeFile(join(cwd, "page.html"), "before", { mode: 0o644 });
  expect(await world.run(["cache", "report", "--html", "page.html"])).toMatchObject({ exitCode: 0 });
  expect(await readFile(join(cwd, "page.html"), "utf8")).toMatch(/^<!doctype html>/i);
  expect((await lstat(join(cwd, "page.html"))).mode & 0o777).toBe(0o600);
  await writeFile(join(cwd, "precious"), "kept");
  await symlink("precious", join(cwd, "link"));
  await symlink("nowhere", join(cwd, "dangling"));
  await mkdir(join(cwd, "folder"));
  for (const name of ["link", "dangling", "folder", "/dev/null"]) {
    const refused = { exitCode: 2, stderr: expect.stringContaining("so it was not overwritten") };
    expect(await world.run(["cache", "report", "--html", name])).toMatchObject(refused);
  }
  expect(await readFile(join(cwd, "precious"), "utf8")).toBe("kept");
  expect((await readdir(cwd)).toSorted()).toEqual(["dangling", "folder", "link", "page.html", "precious"]);
});
