import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openCommandWorld } from "./run-unroll.ts";

const bundle = join(dirname(fileURLToPath(import.meta.url)), "../dist/bundle");

test("a headless turn with a command needs the parts start and turn, the help of it start alone, and the first help none", async () => {
  const call = { call: "exec_command", arguments: { cmd: "echo hello", login: false } };
  await using world = await openCommandWorld({
    script: { turns: [{ items: [call] }, { items: [{ text: "Done." }] }] },
  });
  const own = join(world.work, "bundle");
  await cp(bundle, own, { recursive: true });
  const remove = async (keep: readonly string[]): Promise<void> => {
    for (const name of await readdir(own)) {
      const [part = ""] = name.split("-");
      if (name.endsWith(".code") && !keep.includes(part)) await writeFile(join(own, name), "");
    }
  };
  await remove(["start", "turn"]);
  const program = join(own, "unroll.cjs");
  const flags = ["--skip-git-repo-check", "-s", "danger-full-access"];
  expect(await world.run(["exec", ...flags, "Hi"], { program })).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
  await remove(["start"]);
  expect(await world.run(["exec", "--help"], { program })).toMatchObject({ exitCode: 0, stderr: "" });
  await remove([]);
  expect(await world.run(["--help"], { program })).toMatchObject({ exitCode: 0, stderr: "" });
  await rm(own, { recursive: true });
});

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

test("the first frame of the terminal needs the parts start and frame, and then asks for the rest of the program", async () => {
  const [frame = ""] = (await readParts()).filter((text) => text.includes('"./frame/'));
  const elsewhere = Array.from(frame.matchAll(/\brequire\("\.\/(\w+)\/([^"]+)-\w+\.js"\)/g), ([, part, name]) => ({
    part,
    name,
  }));
  expect(elsewhere.filter(({ part }) => part !== "frame" && part !== "start")).toEqual([
    { part: "screen", name: "src" },
    { part: "screen", name: "run-chat" },
    { part: "screen", name: "run-app" },
  ]);
});

test("what draws an answer in the terminal is in the part screen, and each language of code in one of its own", async () => {
  const parts = await readParts();
  const chunks = parts.flatMap((text) =>
    Array.from(text.matchAll(/^"\.\/([^"]+)-\w+\.js"\(exports,require,module\)/gm), ([, id]) => id),
  );
  expect(chunks).toEqual(
    expect.arrayContaining(["screen/marked.esm", "screen/core", "screen/libesm", "colors/typescript"]),
  );
});

/** An `import { z }` anywhere would bring them back: three times as much to read at each start. */
test("of zod the program has what it uses", async () => {
  expect((await readParts()).join("")).not.toMatch(/\bZod(?:File|Symbol|TemplateLiteral)\b/);
});
