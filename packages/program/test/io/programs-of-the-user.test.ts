import {
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { openPage, runEditor } from "@unroll/program";

/** Two programs of the same name, which write down that they ran; the first one on PATH is the project's. */
function createPrograms(): Disposable & {
  readonly path: string;
  readonly places: { cwd: string; env: { PATH: string } };
} {
  const folder = mkdtempDisposableSync("/var/tmp/unroll-user-programs-");
  const { path } = folder;
  const [planted, own] = [join(path, "project/node_modules/.bin"), join(path, "own/bin")] as const;
  for (const [at, name] of [
    [planted, "planted"],
    [own, "own"],
  ] as const) {
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, "tool"), `#!/bin/sh\necho "$PATH" >'${path}/ran-${name}'\n`, { mode: 0o755 });
  }
  const places = { cwd: join(path, "project"), env: { PATH: `${planted}:${own}` } };
  return { path, places, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

async function waitFor(file: string): Promise<string> {
  while (!existsSync(file) || readFileSync(file, "utf8") === "") await delay(5);
  return readFileSync(file, "utf8");
}

test("the editor is none that the project brings along, and finds none itself", async () => {
  using programs = createPrograms();
  const { cwd, env } = programs.places;
  const io = { cwd, env: { ...env, VISUAL: "tool --wait" }, platform: "linux", onSignal: () => () => {} };
  expect(await runEditor("/dev/null", io)).toBeNull();
  expect(await waitFor(join(programs.path, "ran-own"))).toBe(`${programs.path}/own/bin\n`);
  expect(existsSync(join(programs.path, "ran-planted"))).toBe(false);
});

test.each(["vi", "vi --wait", "'vi'", "A=1 vi", undefined])(
  "an editor that is a link into the project is not started: %s",
  async (editor) => {
    using programs = createPrograms();
    const { cwd } = programs.places;
    const own = join(programs.path, "own/bin");
    symlinkSync(join(cwd, "node_modules/.bin/tool"), join(own, "vi"));
    const env = { PATH: own, ...(editor !== undefined && { EDITOR: editor }) };
    const io = { cwd, env, platform: "linux", onSignal: () => () => {} };
    expect(await runEditor("/dev/null", io)).toBe(
      `Cannot use the editor (${editor ?? "vi"}): ${own}/vi is not started: a project can put programs there. Write the path of yours in VISUAL or EDITOR.`,
    );
    expect(existsSync(join(programs.path, "ran-planted"))).toBe(false);
  },
);

test("an editor may be a path, also one that the shell expands, have quotes, and set variables", async () => {
  using programs = createPrograms();
  const { cwd } = programs.places;
  const own = join(programs.path, "own/bin");
  const io = { cwd, platform: "linux", onSignal: () => () => {} };
  const editors = [`${own}/tool`, '"$DIR"/tool -w', `'${own}/tool' -w`, "A=1 B= tool; true", "exec tool"];
  const ran: string[] = [];
  for (const editor of editors) {
    rmSync(join(programs.path, "ran-own"), { force: true });
    const fault = await runEditor("/dev/null", { ...io, env: { PATH: own, DIR: own, VISUAL: editor } });
    if (fault === null && existsSync(join(programs.path, "ran-own"))) ran.push(editor);
  }
  expect(ran).toEqual(editors);
  expect(await runEditor("/dev/null", { ...io, env: { PATH: own, VISUAL: "$(echo tool)" } })).toBe(
    "Cannot tell which program the editor ($(echo tool)) is: write its path in VISUAL or EDITOR.",
  );
});

test("the browser is none that the project brings along", async () => {
  using programs = createPrograms();
  const { cwd, env } = programs.places;
  expect(await openPage("https://example.org", { cwd, env: { ...env, BROWSER: "tool" }, platform: "linux" })).toBe(
    true,
  );
  expect(await waitFor(join(programs.path, "ran-own"))).toBe(`${programs.path}/own/bin\n`);
  expect(existsSync(join(programs.path, "ran-planted"))).toBe(false);
});
