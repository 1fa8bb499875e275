import { execFile } from "node:child_process";
import { cp, mkdtempDisposable, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openCommandWorld } from "./run-unroll.ts";

const bundle = join(dirname(fileURLToPath(import.meta.url)), "../dist/bundle");

/** Packages that judge commands, draw a terminal, or serve other programs. */
const needless = [
  "acp",
  "app-server",
  "cells",
  "diff",
  "highlight.js",
  "marked",
  "mcp",
  "mcp-server",
  "terminal",
  "unbash",
];

test("a headless turn with a command does without the parts of other programs, the help of it needs the part start alone, and the first help none", async () => {
  const call = { call: "exec_command", arguments: { cmd: "echo hello", login: false } };
  await using world = await openCommandWorld({
    script: { turns: [{ items: [call] }, { items: [{ text: "Done." }] }] },
  });
  const own = join(world.work, "bundle");
  await cp(bundle, own, { recursive: true });
  const remove = async (isNeedless: (part: string) => boolean): Promise<readonly string[]> => {
    const names = (await readdir(own)).filter((name) => name.endsWith(".code") && isNeedless(toPart(name)));
    for (const name of names) await writeFile(join(own, name), "");
    return names.map(toPart);
  };
  expect(await remove((part) => needless.includes(part))).toEqual(
    expect.arrayContaining(["terminal", "cells", "unbash"]),
  );
  const program = join(own, "unroll.cjs");
  const flags = ["--skip-git-repo-check", "-s", "danger-full-access"];
  expect(await world.run(["exec", ...flags, "Hi"], { program })).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
  await remove((part) => part !== "start");
  expect(await world.run(["exec", "--help"], { program })).toMatchObject({ exitCode: 0, stderr: "" });
  await remove(() => true);
  expect(await world.run(["--help"], { program })).toMatchObject({ exitCode: 0, stderr: "" });
  await rm(own, { recursive: true });
});

test("the command starts by its first line where nothing is on PATH but node", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-start-"));
  await symlink(process.execPath, join(folder.path, "node"));
  const file = join(bundle, "unroll.cjs");
  expect(await readFile(file, "utf8")).toMatch(/^#!\/usr\/bin\/env sh\n/);
  const { stdout } = await promisify(execFile)("/bin/sh", [file, "--version"], { env: { PATH: folder.path } });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

function toPart(file: string): string {
  return file.replace(/-[0-9a-f]+\.code$/, "");
}

async function readParts(): Promise<readonly string[]> {
  const names = (await readdir(bundle)).filter((name) => name.endsWith(".code"));
  return Promise.all(names.map((name) => readFile(join(bundle, name), "utf8")));
}

test("every chunk that another one asks for is where it is looked for", async () => {
  const text = (await readParts()).join("\n");
  const there = new Set(Array.from(text.matchAll(/^"(\.\/[^"]+)"\(exports,require,module\)/gm), ([, id]) => id));
  const wanted = new Set(Array.from(text.matchAll(/\brequire\("(\.[^"]+)"\)/g), ([, id]) => id));
  expect(there.size).toBeGreaterThan(50);
  expect([...wanted].filter((id) => !there.has(id))).toEqual([]);
});

test("the first frame of the terminal needs the part start alone, and then asks for the rest of the program", async () => {
  const [start = ""] = (await readParts()).filter((text) => text.includes('"./start/run-terminal-'));
  const [, chunk = ""] = /^"\.\/start\/run-terminal-\w+\.js"([^]*?)\n\},$/m.exec(start) ?? [];
  const elsewhere = Array.from(chunk.matchAll(/\brequire\("\.\/([\w.-]+)\/([^"]+)-\w+\.js"\)/g), ([, part, name]) => ({
    part,
    name,
  })).filter(({ part }) => part !== "start");
  expect(elsewhere).toEqual([
    { part: "cells", name: "src" },
    { part: "terminal", name: "plain-driver" },
    { part: "terminal", name: "run-app" },
  ]);
});

test("what draws an answer in the terminal is in parts of its own, and so are the languages of code, in one chunk", async () => {
  const parts = await readParts();
  const chunks = parts.flatMap((text) =>
    Array.from(text.matchAll(/^"\.\/([^"]+)-\w+\.js"\(exports,require,module\)/gm), ([, id]) => id),
  );
  const drawing = ["terminal/run-app", "marked/marked.esm", "diff/libesm", "highlight.js/create-highlighter"];
  expect(chunks).toEqual(expect.arrayContaining(drawing));
});

/** An `import { z }` anywhere would bring them back: three times as much to read at each start. */
test("of zod the program has what it uses", async () => {
  expect((await readParts()).join("")).not.toMatch(/\bZod(?:File|Symbol|TemplateLiteral)\b/);
});
