import { existsSync, mkdirSync, mkdtempDisposableSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { tryToLock } from "@unroll/files";
import { createPlaceholderRegistry } from "../../src/guard/placeholder-registry.ts";

/** In ms: longer than a placeholder waits for the next command. */
const idleMs = 11_000;

/** Nobody catches an error of the timer's callback, so Vitest fails the run for it. */
const faults: Readonly<Record<string, (state: string) => void>> = {
  "the folder of the registry is gone": (state) => rmSync(state, { recursive: true }),
  "a file is in the place of the folder": (state) => {
    rmSync(state, { recursive: true });
    writeFileSync(state, "");
  },
  "the lock cannot be taken": (state) => {
    rmSync(join(state, "registry.lock"));
    mkdirSync(join(state, "registry.lock"));
  },
  "another registration cannot be read": (state) => mkdirSync(join(state, "other.json")),
};

test.for(Object.entries(faults))(
  "a timer that clears up leaves the placeholders where %s, and commands can be confined again later",
  async ([, fault]) => {
    using timers = useFakeTimers();
    using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-placeholders-"));
    const [state, absent] = [join(folder.path, "state"), join(folder.path, ".git")];
    mkdirSync(state);
    const registry = createPlaceholderRegistry(state, "own");
    (await registry.acquire([absent]))();
    fault(state);
    await timers.pass(idleMs);
    expect(existsSync(absent)).toBe(true);
    rmSync(state, { recursive: true, force: true });
    mkdirSync(state);
    rmSync(absent, { recursive: true });
    (await registry.acquire([absent]))();
    await registry.close();
    expect(readdirSync(folder.path)).toEqual(["state"]);
  },
);

test("a registry whose lock another process holds waits without blocking, and never takes it away", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-placeholders-"));
  const registry = createPlaceholderRegistry(folder.path, "own");
  const absent = join(folder.path, ".git");
  (await registry.acquire([absent]))();
  const held = await tryToLock(join(folder.path, "registry.lock"));
  const closing = registry.close();
  let turns = 0;
  const turning = setInterval(() => (turns += 1), 1);
  await vi.waitUntil(() => turns > 2);
  clearInterval(turning);
  expect(existsSync(join(folder.path, "own.json"))).toBe(true);
  held?.[Symbol.dispose]();
  await closing;
  expect(existsSync(join(folder.path, "own.json"))).toBe(false);
});

test("placeholders of a registry that was emptied stay: another harness may use them", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-placeholders-"));
  const [state, absent] = [join(folder.path, "state"), join(folder.path, ".git")];
  mkdirSync(state);
  const registry = createPlaceholderRegistry(state, "own");
  (await registry.acquire([absent]))();
  rmSync(join(state, "own.json"));
  await registry.removeIdle();
  await registry.close();
  expect(existsSync(absent)).toBe(true);
});

test("the last of two harnesses removes a placeholder that the other one created while it was idle", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-placeholders-"));
  const [state, absent] = [join(folder.path, "state"), join(folder.path, ".git")];
  mkdirSync(state);
  const [first, second] = ["first", "second"].map((name) => createPlaceholderRegistry(state, name)) as [
    ReturnType<typeof createPlaceholderRegistry>,
    ReturnType<typeof createPlaceholderRegistry>,
  ];
  (await first.acquire([absent]))();
  await first.removeIdle();
  expect(existsSync(absent)).toBe(false);
  const release = await second.acquire([absent]);
  const releaseFirst = await first.acquire([absent]);
  release();
  await second.close();
  expect(existsSync(absent)).toBe(true);
  releaseFirst();
  await first.close();
  expect(existsSync(absent)).toBe(false);
});

test("a harness that removed a placeholder leaves its next one to the harness that creates it", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-placeholders-"));
  const [state, absent] = [join(folder.path, "state"), join(folder.path, ".git")];
  mkdirSync(state);
  const [idle, next] = [createPlaceholderRegistry(state, "idle"), createPlaceholderRegistry(state, "next")];
  (await idle.acquire([absent]))();
  await idle.removeIdle();
  (await next.acquire([absent]))();
  expect(existsSync(absent)).toBe(true);
  await next.close();
  expect(existsSync(absent)).toBe(false);

  mkdirSync(absent); // somebody else's
  const last = createPlaceholderRegistry(state, "last");
  (await last.acquire([absent]))();
  await last.close();
  expect(existsSync(absent)).toBe(true);
});

test("a harness that is closed while a command runs stays registered, and the end of the command removes its placeholders", async () => {
  using timers = useFakeTimers();
  using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-placeholders-"));
  const [state, absent] = [join(folder.path, "state"), join(folder.path, ".git")];
  mkdirSync(state);
  const registry = createPlaceholderRegistry(state, "own");
  const release = await registry.acquire([absent]);
  await registry.close();
  expect([existsSync(absent), existsSync(join(state, "own.json"))]).toEqual([true, true]);
  release();
  await timers.pass(idleMs);
  expect([existsSync(absent), existsSync(join(state, "own.json"))]).toEqual([false, false]);
});

test("placeholders of a harness that was killed are removed until nobody creates them again", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-placeholders-"));
  const [state, absent, own] = ["state", ".git", ".codex"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(state);
  const killed = join(state, "killed.json");
  writeFileSync(killed, JSON.stringify({ owner: "0:0", using: [absent], created: [absent] }));
  const clearUp = async (name: string): Promise<readonly boolean[]> => {
    const registry = createPlaceholderRegistry(state, name);
    (await registry.acquire([own]))();
    await registry.close();
    return [existsSync(absent), existsSync(own), existsSync(killed)];
  };
  mkdirSync(absent);
  expect(await clearUp("first")).toEqual([false, false, true]);
  mkdirSync(absent); // by the killed harness's sandbox, which was starting
  expect(await clearUp("second")).toEqual([false, false, true]);
  expect(await clearUp("third")).toEqual([false, false, false]);
});

interface FakeTimers extends Disposable {
  pass(ms: number): Promise<void>;
}

function useFakeTimers(): FakeTimers {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  return {
    pass: async (ms) => void (await vi.advanceTimersByTimeAsync(ms)),
    [Symbol.dispose]: () => void vi.useRealTimers(),
  };
}
