import { createMemoryPatchFiles, parsePatch, planPatch } from "@unroll/apply-patch";
import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { interleave, median } from "./statistics.ts";

export const name = "apply-patch";

const fileLines = 50_000;
const hunkCount = 200;
const planTarget = 500; // ms
const parseTarget = 12; // times bare node, at 1 MB and at 10 MB: linear except for garbage collection

const unmatched = "no hunk matches";
/** Patches that find their 200 places at once, only by the loosest comparison, among repeated lines, and not at all. */
const shapes: Readonly<Record<string, { readonly file: LineMaker; readonly patch: LineMaker }>> = {
  exact: { file: plainLine, patch: plainLine },
  "indentation differs": { file: (index) => `\t${plainLine(index)}`, patch: plainLine },
  "typography differs": { file: (index) => plainLine(index).replaceAll('"', "\u201D"), patch: plainLine },
  "repeated lines": { file: repeatedLine, patch: repeatedLine },
  [unmatched]: { file: plainLine, patch: (index) => plainLine(index).replace("value", "valeu") },
};
type LineMaker = (index: number) => string;

/**
 * Plans of a large file with many hunks, against taking its text apart and together; and parsing, against splitting
 * lines.
 */
export async function run({ rounds }: BenchOptions): Promise<BenchResult> {
  const plain = toText(plainLine);
  const plans = Object.entries(shapes).map(([label, { file, patch }]) => {
    const outcome = label === unmatched ? "patch.failed" : "patch.planned";
    const input: PlanInput = { text: toText(file), patch: hunksPatch(patch), outcome };
    return [`${fileLines} lines, ${hunkCount} hunks: ${label}`, () => timePlan(input)] as const;
  });
  const parses = [1, 10].map((megabytes) => {
    const patch = longPatch(megabytes * 1_000_000);
    return {
      bare: [`bare node: ${megabytes} MB to an object a line`, () => time(() => toObjects(patch))] as const,
      ours: [`parse ${megabytes} MB`, () => time(() => parsePatch(patch))] as const,
    };
  });
  const base = [`bare node: take ${fileLines} lines apart and together`, () => time(() => retype(plain))] as const;
  const variants = [base, ...plans, ...parses.flatMap(({ bare, ours }) => [bare, ours])];
  const walls = await interleave(rounds, Object.fromEntries(variants));
  const value = (label: string) => median(walls[label] ?? []);
  const against = (label: string, bare: string) => ({
    label,
    value: value(label),
    unit: "ms",
    ratio: value(label) / value(bare),
  });
  const planRows = plans.map(([label]): BenchRow => {
    return { ...against(label, base[0]), target: `<= ${planTarget} ms`, ok: value(label) <= planTarget };
  });
  const parseRows = parses.flatMap(({ bare: [bare], ours: [ours] }): BenchRow[] => {
    const row = against(ours, bare);
    return [against(bare, bare), { ...row, target: `<= ${parseTarget}x`, ok: row.ratio <= parseTarget }];
  });
  return { name, rows: [against(base[0], base[0]), ...planRows, ...parseRows] };
}

function toText(line: LineMaker): string {
  return Array.from({ length: fileLines }, (_, index) => `${line(index)}\n`).join("");
}

function retype(text: string): Uint8Array {
  const lines = new TextDecoder().decode(new TextEncoder().encode(text)).split("\n");
  return new TextEncoder().encode(lines.join("\n"));
}

function toObjects(patch: string): readonly unknown[] {
  return patch.split("\n").map((line) => ({ mark: line[0], text: line.slice(1) }));
}

function plainLine(index: number): string {
  return `  const value${index} = compute(${index}, "name ${index % 97}");`;
}

/** Lines of which each comes up thousands of times, but for one in each stretch of 50. */
function repeatedLine(index: number): string {
  return index % 50 === 49 ? plainLine(index) : "    }";
}

/** Hunks evenly over the file, each with ten lines of context around one change. */
function hunksPatch(line: LineMaker): string {
  const hunks = Array.from({ length: hunkCount }, (_, index) => {
    const first = index * (fileLines / hunkCount) + 40;
    const context = (from: number) => Array.from({ length: 10 }, (__, offset) => ` ${line(from + offset)}`);
    return ["@@", ...context(first - 1), `-${line(first + 9)}`, "+changed", ...context(first + 10)].join("\n");
  });
  return `*** Begin Patch\n*** Update File: file\n${hunks.join("\n")}\n*** End Patch`;
}

function longPatch(length: number): string {
  const hunk = "@@ function area() {\n   const side = 1;\n-  return side;\n+  return side * side;\n }\n";
  return `*** Begin Patch\n*** Update File: file\n${hunk.repeat(Math.ceil(length / hunk.length))}*** End Patch`;
}

interface PlanInput {
  readonly text: string;
  readonly patch: string;
  readonly outcome: "patch.planned" | "patch.failed";
}

async function timePlan({ text, patch, outcome }: PlanInput): Promise<number> {
  const files = createMemoryPatchFiles({ "/bench/file": text });
  const { signal } = new AbortController();
  const options = { cwd: "/bench", isWritable: () => true, isReadable: () => true, signal };
  return time(async () => {
    const parsed = parsePatch(patch);
    if (parsed.type === "patch.failed") throw new Error(parsed.message);
    const plan = await planPatch(parsed.patch, files, options);
    if (plan.type !== outcome) throw new Error(`The plan is a ${plan.type}.`);
  });
}

async function time(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
