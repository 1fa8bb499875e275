import { existsSync } from "node:fs";
import { mkdir, mkdtempDisposable, readdir, readFile, realpath, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { commitPlan, parsePatch, type PatchFiles, planPatch } from "@unroll/apply-patch";
import { createNodePatchFiles } from "@unroll/apply-patch/node";
import { expect, test } from "vitest";
import { startSwapping } from "./swap-places.ts";

/** For each kind of race; `PATCH_RACES=2000` is for a run by hand. */
const count = Number(process.env["PATCH_RACES"] ?? 60);
const { signal } = new AbortController();

interface Race {
  /** The swapped path, relative to the root; it is replaced by a link to its namesake outside, or by that namesake. */
  readonly place: string;
  readonly other: "link" | "namesake";
  readonly patch: (number: number) => readonly string[];
  /** The files that are there, inside and outside: path to text. */
  readonly before: Readonly<Record<string, string>>;
  /** The texts that an applied patch adds, by the last part of the path. */
  readonly adds?: (number: number) => Readonly<Record<string, string>>;
  readonly removes?: (number: number) => readonly string[];
}

interface World extends AsyncDisposable {
  readonly folder: string;
  /** The writable root. */
  readonly work: string;
  /** A folder that a patch must never touch. */
  readonly outside: string;
  readonly files: PatchFiles;
}

const text = (number: number) => `${`line of ${number}\n`.repeat(50)}`;
const added = (path: string, number: number) => [
  `*** Add File: ${path}`,
  ...text(number)
    .trim()
    .split("\n")
    .map((line) => `+${line}`),
];
const numbers = Array.from({ length: count }, (_, number) => number);
const numbered = (prefix: string) => Object.fromEntries(numbers.map((number) => [`${prefix}${number}`, text(number)]));

const races: Readonly<Record<string, Race>> = {
  "the folder of added files": {
    place: "d",
    other: "link",
    before: {},
    patch: (number) => [...added(`d/f${number}`, number), ...added(`d/g${number}`, number)],
    adds: (number) => ({ [`f${number}`]: text(number), [`g${number}`]: text(number) }),
  },
  "the folder of a new folder": {
    place: "d",
    other: "link",
    before: {},
    patch: (number) => added(`d/new${number}/deep/n${number}`, number),
    adds: (number) => ({ [`n${number}`]: text(number) }),
  },
  "the folder that a file moves to": {
    place: "d",
    other: "link",
    before: numbered("m"),
    patch: (number) => [`*** Update File: m${number}`, `*** Move to: d/f${number}`, "@@", ` line of ${number}`],
    adds: (number) => ({ [`f${number}`]: text(number) }),
    removes: (number) => [`m${number}`],
  },
  "the folder of a deleted file": {
    place: "d",
    other: "link",
    before: Object.fromEntries(numbers.map((number) => [`d/x${number}`, text(number)])),
    patch: (number) => [`*** Delete File: d/x${number}`],
    removes: (number) => [`x${number}`],
  },
  "a file that is updated": {
    place: "f",
    other: "link",
    before: { f: text(1) },
    patch: () => ["*** Update File: f", "@@", "-line of 1", "+line of 1"],
  },
  "the root": {
    place: ".",
    other: "link",
    before: {},
    patch: (number) => [...added(`f${number}`, number), ...added(`d/g${number}`, number)],
    adds: (number) => ({ [`f${number}`]: text(number), [`g${number}`]: text(number) }),
  },
  "the root with another folder": {
    place: ".",
    other: "namesake",
    before: {},
    patch: (number) => [...added(`f${number}`, number), ...added(`d/g${number}`, number)],
    adds: (number) => ({ [`f${number}`]: text(number), [`g${number}`]: text(number) }),
  },
  "a file that is moved as it is": {
    place: "secret",
    other: "link",
    before: { secret: "not one\n" },
    patch: (number) => ["*** Update File: secret", `*** Move to: s${number}`, `*** Add File: secret`, "+not one"],
    adds: (number) => ({ [`s${number}`]: "not one\n" }),
  },
};

async function openWorld({ before }: Race): Promise<World> {
  const made = await mkdtempDisposable(join(await realpath(tmpdir()), "unroll-patch-race-"));
  const folder = made.path;
  const [work, outside] = [join(folder, "work"), join(folder, "outside")];
  for (const side of [work, outside]) {
    await mkdir(join(side, "d"), { recursive: true });
    for (const [name, content] of Object.entries(before)) await writeFile(join(side, name), content);
  }
  await writeFile(join(outside, "secret"), "the secret\n");
  const { dev, ino } = await stat(work, { bigint: true });
  const root = { path: work, identity: { device: String(dev), inode: String(ino) } };
  const files = createNodePatchFiles({ listRoots: () => [root] });
  return { folder, work, outside, files, [Symbol.asyncDispose]: () => made.remove() };
}

async function swapIn({ folder, work, outside }: World, { place, other }: Race): Promise<AsyncDisposable> {
  const namesake = join(outside, place);
  const waiting = join(folder, "waiting");
  if (other === "link") await symlink(namesake, waiting);
  // Beside the root itself, and within it for what lies in it.
  const near = place === "." ? folder : work;
  return startSwapping({
    place: join(work, place),
    inside: join(near, "kept"),
    other: other === "link" ? waiting : namesake,
    strays: join(near, "stray"),
  });
}

async function applyInside({ work, files }: World, lines: readonly string[]): Promise<string> {
  const parsed = parsePatch(["*** Begin Patch", ...lines, "*** End Patch"].join("\n"));
  if (parsed.type === "patch.failed") throw new Error(parsed.message);
  const options = {
    cwd: work,
    isWritable: (path: string) => path.startsWith(`${work}/`),
    isReadable: (path: string) => path.startsWith(`${work}/`),
    signal,
  };
  const plan = await planPatch(parsed.patch, files, options);
  if (plan.type === "patch.failed") return plan.message;
  if (plan.outsideWritableRoots.length > 0) return "asked";
  return (await commitPlan(plan, files, signal)).message;
}

/** The text of every file below by its name alone, for folders come and go. */
async function readNames(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map(async (file) => [basename(file), await readFile(file, "utf8")] as const));
  return new Map(texts);
}

/** Every path below with when it was last changed in any way; of a folder that counts what is in it, not where it is. */
async function readStamps(folder: string): Promise<Readonly<Record<string, bigint>>> {
  const names = [".", ...(await readdir(folder, { recursive: true }))];
  const stats = names.map(async (name) => {
    const each = await stat(join(folder, name), { bigint: true });
    return [name, each.isDirectory() ? each.mtimeNs : each.ctimeNs] as const;
  });
  return Object.fromEntries(await Promise.all(stats));
}

function compare(found: ReadonlyMap<string, string>, expected: ReadonlyMap<string, string>) {
  const names = [...expected.keys()];
  return {
    lost: names.filter((name) => !found.has(name)),
    torn: names.filter((name) => found.has(name) && found.get(name) !== expected.get(name)),
    leftOver: [...found.keys()].filter((name) => !expected.has(name)),
  };
}

test.skipIf(!existsSync("/proc/self/fd")).for(Object.entries(races))(
  "nothing is written outside, half or lost while another process swaps %s",
  { timeout: 3_600_000 },
  async ([name, race]) => {
    await using world = await openWorld(race);
    const expected = new Map(await readNames(world.work));
    const stamps = await readStamps(world.outside);
    const outcomes: string[] = [];
    const patch = async (number: number): Promise<void> => {
      const message = await applyInside(world, race.patch(number));
      const isApplied = message.startsWith("Success");
      outcomes.push(isApplied ? "applied" : message);
      if (!isApplied) return;
      for (const path of race.removes?.(number) ?? []) expected.delete(path);
      for (const [path, content] of Object.entries(race.adds?.(number) ?? {})) expected.set(path, content);
    };
    {
      await using _ = await swapIn(world, race);
      for (const number of numbers.slice(1)) await patch(number);
    }
    await patch(0);
    if (process.env["PATCH_RACES"] !== undefined) report(name, outcomes);
    expect(await readStamps(world.outside)).toEqual(stamps);
    expect(compare(await readNames(world.work), expected)).toEqual({ lost: [], torn: [], leftOver: [] });
    expect(outcomes.at(-1)).toBe("applied");
  },
);

function report(name: string, outcomes: readonly string[]): void {
  const groups = Map.groupBy(outcomes, (outcome) => (outcome.split("\n")[2] ?? outcome).replaceAll(/\d+/g, "N"));
  process.stdout.write(`${name}\n${[...groups].map(([outcome, all]) => `  ${all.length} ${outcome}\n`).join("")}`);
}
