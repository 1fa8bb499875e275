import { mkdir, mkdtempDisposable, open, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commitPlan, parsePatch, planPatch } from "@unroll/apply-patch";
import { nodePatchFiles } from "@unroll/apply-patch/node";
import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { interleave, median } from "./statistics.ts";

export const name = "patch-commit";

const largeLines = 50_000;
const hunkCount = 200;
const smallFiles = 100;
// Times bare node. In the large file, most of the time goes to finding the places of the hunks.
const largeTarget = 25;
const smallTarget = 4;

/** A tree on disk, and a patch for it. */
interface Sample {
  readonly files: Readonly<Record<string, string>>;
  readonly patch: string;
  readonly target: number;
}

const samples: Readonly<Record<string, Sample>> = {
  [`${largeLines} lines, ${hunkCount} hunks`]: createLarge(),
  [`${smallFiles} small files in one folder`]: createSmall(() => "src"),
  [`${smallFiles} small files in ${smallFiles} folders`]: createSmall((index) => `package-${index}/src`),
};

/** Patches written to disk, against bare node that reads, writes, syncs and renames the same files. */
export async function run({ rounds }: BenchOptions): Promise<BenchResult> {
  const variants = Object.entries(samples).flatMap(([label, sample]) => [
    [`bare node: ${label}`, () => timeIn(sample, rewriteAll)] as const,
    [label, () => timeIn(sample, applyPatch)] as const,
  ]);
  const walls = await interleave(rounds, Object.fromEntries(variants));
  const value = (label: string) => median(walls[label] ?? []);
  const rows = Object.entries(samples).flatMap(([label, { target }]): BenchRow[] => {
    const bare = `bare node: ${label}`;
    const ratio = value(label) / value(bare);
    return [
      { label: bare, value: value(bare), unit: "ms", ratio: 1 },
      { label, value: value(label), unit: "ms", ratio, target: `<= ${target}x`, ok: ratio <= target },
    ];
  });
  return { name, rows };
}

async function timeIn(sample: Sample, work: (cwd: string, sample: Sample) => Promise<void>): Promise<number> {
  await using folder = await mkdtempDisposable(join(await realpath(tmpdir()), "unroll-bench-"));
  for (const [path, text] of Object.entries(sample.files)) {
    await mkdir(join(folder.path, path, ".."), { recursive: true });
    await writeFile(join(folder.path, path), text);
  }
  const start = performance.now();
  await work(folder.path, sample);
  return performance.now() - start;
}

async function applyPatch(cwd: string, { patch }: Sample): Promise<void> {
  const { signal } = new AbortController();
  const parsed = parsePatch(patch);
  if (parsed.type === "patch.failed") throw new Error(parsed.message);
  const options = { cwd, isWritable: () => true, isReadable: () => true, signal };
  const plan = await planPatch(parsed.patch, nodePatchFiles, options);
  const result = plan.type === "patch.failed" ? plan : await commitPlan(plan, nodePatchFiles, signal);
  if (result.type === "patch.failed") throw new Error(result.message);
}

/** One after the other, as little as makes the new bytes durable before the old ones go. */
async function rewriteAll(cwd: string, { files }: Sample): Promise<void> {
  for (const path of Object.keys(files)) {
    const target = join(cwd, path);
    const lines = (await readFile(target, "utf8")).split("\n");
    await rm(`${target}.new`, { force: true });
    await using file = await open(`${target}.new`, "wx");
    await file.writeFile(lines.join("\n"));
    await file.sync();
    await rename(`${target}.new`, target);
  }
}

function createLarge(): Sample {
  const line = (index: number) => `  const value${index} = compute(${index}, "name ${index % 97}");`;
  const hunks = Array.from({ length: hunkCount }, (_, index) => {
    const at = index * (largeLines / hunkCount) + 40;
    return ["@@", ` ${line(at)}`, `-${line(at + 1)}`, "+changed", ` ${line(at + 2)}`].join("\n");
  });
  const text = Array.from({ length: largeLines }, (_, index) => `${line(index)}\n`).join("");
  return { files: { file: text }, patch: wrap([`*** Update File: file\n${hunks.join("\n")}`]), target: largeTarget };
}

function createSmall(folderOf: (index: number) => string): Sample {
  const paths = Array.from({ length: smallFiles }, (_, index) => `${folderOf(index)}/file-${index}`);
  const updates = paths.map((path) => `*** Update File: ${path}\n@@\n one\n-two\n+three`);
  const files = Object.fromEntries(paths.map((path) => [path, "one\ntwo\n"]));
  return { files, patch: wrap(updates), target: smallTarget };
}

function wrap(parts: readonly string[]): string {
  return ["*** Begin Patch", ...parts, "*** End Patch"].join("\n");
}
