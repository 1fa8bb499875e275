import { findSystemProgram, toCommandFile } from "@unroll/process-tree";
import { randomInt } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync } from "node:fs";
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createFolderTracker, type FolderTracker, type FolderTrackerOptions } from "../../src/guard/folder-tracker.ts";
import { openFolderWatch, type FolderWatch } from "../../src/guard/folder-watch.ts";
import { watchProgram } from "../../src/guard/watch-program.ts";
import { findProcesses, waitUntil } from "../fixture/processes.ts";

it("a repository that is moved to where a search has been already is not missed by the next, which says that there is need of it", async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), "unroll-tracker-"));
  const root = join(temporary.path, "work");
  // More than are looked at in one go; then others have their turn.
  for (let index = 0; index < 2_100; index += 1) mkdirSync(join(root, `${index % 10}/${index}`), { recursive: true });
  mkdirSync(join(root, "9/2099/sub/.git"), { recursive: true });
  const tracker = createFolderTracker([root], { clockFile: join(temporary.path, "clock"), openWatch: null });
  const searching = tracker.search();
  renameSync(join(root, "9/2099/sub"), join(root, "0/sub"));
  expect((await searching).candidates).toEqual([]);
  expect(await tracker.search()).toEqual({
    candidates: [join(root, "0/sub")],
    count: 2_113,
    isCalm: false,
    isWhole: true,
  });
  expect(await tracker.search()).toMatchObject({ isCalm: true });
  tracker.close();
});

it("two folders of one time stamp that trade places are not taken for each other", async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), "unroll-tracker-"));
  const root = join(temporary.path, "work");
  const [first, second] = makeTwins(root);
  const tracker = createFolderTracker([root], { clockFile: join(temporary.path, "clock"), openWatch: null });
  const madeAt = performance.now();
  await waitUntil(() => performance.now() - madeAt > 100);
  expect((await tracker.search()).candidates).toEqual([second]);
  renameSync(dirname(first), join(root, "aside"));
  renameSync(dirname(second), dirname(first));
  renameSync(join(root, "aside"), dirname(second));
  expect((await tracker.search()).candidates).toEqual([first]);
  tracker.close();
});

/** Two folders, each alone in another one, filled in the same tick of the clock; the second is the top of a repository. */
function makeTwins(root: string): readonly [string, string] {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const pair = ["a", "b"].map((name) => join(root, `${name}${attempt}/twin`));
    const [first = "", second = ""] = pair;
    for (const path of pair) mkdirSync(path, { recursive: true });
    mkdirSync(join(first, "sub"));
    mkdirSync(join(second, ".git"));
    if (lstatSync(first).ctimeMs === lstatSync(second).ctimeMs) return [first, second];
    rmSync(root, { recursive: true });
  }
  throw new Error("no two folders of one time");
}

const perl = findSystemProgram("perl");
const isRoot = process.getuid?.() === 0; // whom no mode keeps out
const isWatchable = perl !== null && process.platform === "linux";

describe.skipIf(!isWatchable)("a watched tree", () => {
  it.each([
    ["", {}],
    [", also if most of its folders cannot be watched", { mostWatched: 12 }],
    [", also if the tree has more folders than are searched", { mostFolders: 30 }],
    [", also if it has more folders than are searched or can be watched", { mostFolders: 30, mostWatched: 12 }],
  ])(
    "finds what a search of the whole tree finds, after any creation, move, replacement and removal%s",
    async (_, limits) => {
      using world = createWorld(limits);
      const { tracker } = world;
      await world.begin();
      const seed = Number(process.env["UNROLL_WATCH_SEED"] ?? randomInt(2 ** 31));
      const random = createRandom(seed);
      const rounds = Number(process.env["UNROLL_WATCH_ROUNDS"] ?? 12);
      for (let round = 0; round < rounds; round += 1) {
        for (let count = random(10); count > 0; count -= 1) change(world.base, random);
        const searching = tracker.search();
        for (let count = random(3); count > 0; count -= 1) change(world.base, random);
        await searching;
        const candidates = await searchUntilCalm(tracker);
        const all = await world.lookAtAll();
        // Beyond the limit a few more may be known.
        const compared = "mostFolders" in limits ? candidates.filter((path) => all.includes(path)) : candidates;
        expect({ seed, round, candidates: compared }).toEqual({ seed, round, candidates: all });
      }
      expect(world.reports()).toBeGreaterThan(rounds);
    },
  );

  it("costs no look where nothing changed, and one at each folder that did", async () => {
    using world = createWorld();
    await world.begin();
    expect(await world.tracker.search()).toEqual({ candidates: [], count: 0, isCalm: true, isWhole: true });
    writeFileSync(join(world.root, "1/file"), "of no interest to git");
    mkdirSync(join(world.root, "1/new/.git"), { recursive: true });
    const candidates = [join(world.root, "1/new")];
    expect(await world.tracker.search()).toEqual({ candidates, count: 3, isCalm: false, isWhole: true });
    expect(await world.tracker.search()).toEqual({ candidates, count: 0, isCalm: true, isWhole: true });
  });

  it("is looked at once: the first search looks at each folder, and later ones at what changed", async () => {
    using world = createWorld({ watchedFrom: 20 });
    const folders = readdirSync(world.root, { recursive: true }).length + 1;
    const first = await world.tracker.search();
    // A few are looked at again once they are watched.
    expect(first.count).toBeLessThan(folders + 20);
    expect(await world.tracker.search()).toEqual({ candidates: [], count: 0, isCalm: true, isWhole: true });
  });

  it.skipIf(isRoot)("has no folder that a command can hide a repository in by closing it", async () => {
    using world = createWorld();
    await world.begin();
    const folder = join(world.root, "1");
    mkdirSync(join(folder, "sub/.git"), { recursive: true });
    expect(await searchUntilCalm(world.tracker)).toEqual([join(folder, "sub")]);
    mkdirSync(join(folder, "late/.git"), { recursive: true });
    chmodSync(join(folder, "sub"), 0);
    chmodSync(folder, 0);
    expect(await searchUntilCalm(world.tracker)).toEqual([join(folder, "late"), join(folder, "sub")]);
    expect(existsSync(join(folder, "late/.git"))).toBe(true);
    world.tracker.closeAgain();
    expect(lstatSync(folder).mode & 0o777).toBe(0);
    chmodSync(folder, 0o700);
    expect(lstatSync(join(folder, "sub")).mode & 0o777).toBe(0);
    chmodSync(join(folder, "sub"), 0o700);
  });

  it("is looked at as a whole where more changed than the kernel keeps, and where the watch has ended", async () => {
    using world = createWorld();
    await world.begin();
    const repository = join(world.root, "2/late");
    mkdirSync(join(repository, ".git"), { recursive: true });
    world.overflow();
    expect(await searchUntilCalm(world.tracker)).toEqual([repository]);
    await world.begin();
    world.endWatch();
    mkdirSync(join(world.root, "0/.git"));
    expect(await searchUntilCalm(world.tracker)).toEqual([join(world.root, "0"), repository]);
  });
});

it.skipIf(!isWatchable)("a watch that somebody has stopped ends all the same when it is closed", async () => {
  const before = new Set(findProcesses(watchProgram));
  const watch = openFolderWatch({
    perl: perl ?? toCommandFile(""),
    architecture: process.arch === "arm64" ? "arm64" : "x64",
  });
  expect((await watch.report([])).type).toBe("changes");
  const own = findProcesses(watchProgram).filter((pid) => !before.has(pid) && parentOf(pid) === process.pid);
  expect(own.length).toBe(1);
  for (const pid of own) process.kill(pid, "SIGSTOP");
  watch.close();
  await waitUntil(() => !findProcesses(watchProgram).some((pid) => own.includes(pid)));
});

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

interface World extends Disposable {
  readonly base: string;
  readonly root: string;
  /** It watches as soon as it can. */
  readonly tracker: FolderTracker;
  readonly reports: () => number;
  /** Searches until it is watched. */
  readonly begin: () => Promise<void>;
  /** The next report is that more changed than was kept. */
  readonly overflow: () => void;
  readonly endWatch: () => void;
  readonly lookAtAll: () => Promise<readonly string[]>;
}

function createWorld(limits: Partial<FolderTrackerOptions> = {}): World {
  const temporary = mkdtempDisposableSync(join(tmpdir(), "unroll-tracker-"));
  const base = temporary.path;
  const root = join(base, "work");
  for (let index = 0; index < 30; index += 1)
    mkdirSync(join(root, `${index % 3}/${index % 7}/${index}`), { recursive: true });
  mkdirSync(join(base, "outside"));
  const clockFile = join(base, "clock");
  let reports = 0;
  let overflowAt = 0;
  let watch: FolderWatch | null = null;
  function openWatch(): FolderWatch {
    const opened = openFolderWatch({
      perl: perl ?? toCommandFile(""),
      architecture: process.arch === "arm64" ? "arm64" : "x64",
    });
    watch = opened;
    return {
      ...opened,
      async report(more) {
        reports += 1;
        const report = await opened.report(more);
        return reports === overflowAt ? { type: "overflow" } : report;
      },
    };
  }
  const tracker = createFolderTracker([root], { clockFile, openWatch, watchedFrom: 1, ...limits });
  return {
    base,
    root,
    tracker,
    reports: () => reports,
    async begin() {
      // One that asks for all folders, and one more when they are known.
      for (const before = reports; reports < before + 2; await nextTurn()) await tracker.search();
    },
    overflow: () => void (overflowAt = reports + 1),
    endWatch: () => watch?.close(),
    async lookAtAll() {
      const { mostFolders } = limits;
      // It knows no more than are searched: those of the reserve may be unknown to the other one.
      const known = mostFolders === undefined ? {} : { mostFolders: Math.floor(mostFolders / 1.04) };
      const other = createFolderTracker([root], { ...known, clockFile, openWatch: null });
      const { candidates } = await other.search();
      other.close();
      return candidates.toSorted();
    },
    [Symbol.dispose]() {
      tracker.close();
      temporary.remove();
    },
  };
}

async function searchUntilCalm(tracker: FolderTracker): Promise<readonly string[]> {
  let found = await tracker.search();
  while (!found.isCalm) found = await tracker.search();
  return found.candidates.toSorted();
}

function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const names = ["a", "b", "c", ".git", "HEAD", "objects", "refs", "commondir", "work", "\u00e9\n x"];

/** One thing, somewhere; what cannot be is left. */
function change(base: string, random: (below: number) => number): void {
  const root = join(base, "work");
  const outside = join(base, "outside");
  const pick = (list: readonly string[]): string => list[random(list.length)] ?? "";
  const folders = [root];
  for (const folder of folders) {
    const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    folders.push(...inner.map(({ name }) => join(folder, name)));
  }
  const [from, to] = [pick(folders.slice(1)) || join(root, "gone"), pick(folders)];
  const steps = [
    () => mkdirSync(join(to, pick(names))),
    () => mkdirSync(join(to, pick(names), pick(names), pick(names)), { recursive: true }),
    () => writeFileSync(join(to, pick(names)), "x"),
    () => symlinkSync("a", join(to, pick(names))),
    () => renameSync(from, join(to, pick(names))),
    () => rmSync(from, { recursive: true }),
    () => renameSync(from, join(outside, String(random(1e9)))),
    () => renameSync(join(outside, pick(readdirSync(outside)) || "nothing"), join(to, pick(names))),
    () => {
      renameSync(from, `${from}.old`);
      mkdirSync(from);
    },
  ];
  try {
    steps[random(steps.length)]?.();
  } catch {
    // It is in its own way.
  }
}
