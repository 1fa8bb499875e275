import { existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
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

test("the browser is none that the project brings along", async () => {
  using programs = createPrograms();
  const { cwd, env } = programs.places;
  expect(await openPage("https://example.org", { cwd, env: { ...env, BROWSER: "tool" }, platform: "linux" })).toBe(
    true,
  );
  expect(await waitFor(join(programs.path, "ran-own"))).toBe(`${programs.path}/own/bin\n`);
  expect(existsSync(join(programs.path, "ran-planted"))).toBe(false);
});
