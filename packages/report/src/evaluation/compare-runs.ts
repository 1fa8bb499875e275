/** A task of a run that is compared. */
export interface ComparedTask {
  readonly id: string;
  readonly solved: boolean;
  /** In US dollars; null: not known. */
  readonly cost: number | null;
  readonly durationMs: number | null;
  readonly usage: { readonly input: number; readonly cached: number; readonly output: number } | null;
}

/** Two runs, task by task. Only tasks that both have are compared. Field names are those of `--json`. */
export interface RunComparison {
  readonly tasks: number;
  readonly solved: { readonly a: number; readonly b: number };
  readonly only_a_solved: readonly string[];
  readonly only_b_solved: readonly string[];
  /** How likely chance alone makes a difference of this size (exact McNemar test, two-sided). */
  readonly p: number;
  readonly measures: readonly ComparedMeasure[];
  /** Ids that the other run lacks. */
  readonly missing: { readonly a: readonly string[]; readonly b: readonly string[] };
}

/** One measure, over the pairs for which both runs know it. */
export interface ComparedMeasure {
  readonly name: "cost" | "duration_ms" | "input_tokens" | "cached_input_tokens" | "output_tokens";
  readonly pairs: number;
  readonly a: number;
  readonly b: number;
  /** B over A of the sums; null: A has nothing. */
  readonly ratio: number | null;
  /** The median of the pairs' own ratios, those in which A has nothing left out; null: there is none. */
  readonly median_ratio: number | null;
}

interface Pair {
  readonly a: ComparedTask;
  readonly b: ComparedTask;
}

const measures: readonly (readonly [ComparedMeasure["name"], (task: ComparedTask) => number | null])[] = [
  ["cost", ({ cost }) => cost],
  ["duration_ms", ({ durationMs }) => durationMs],
  ["input_tokens", ({ usage }) => usage?.input ?? null],
  ["cached_input_tokens", ({ usage }) => usage?.cached ?? null],
  ["output_tokens", ({ usage }) => usage?.output ?? null],
];

/** Compares two runs of the same tasks. */
export function compareRuns(a: readonly ComparedTask[], b: readonly ComparedTask[]): RunComparison {
  const others = new Map(b.map((task) => [task.id, task]));
  const pairs = a.flatMap((task): readonly Pair[] => {
    const other = others.get(task.id);
    return other === undefined ? [] : [{ a: task, b: other }];
  });
  const ids = new Set(pairs.map((pair) => pair.a.id));
  const onlyA = pairs.filter((pair) => pair.a.solved && !pair.b.solved).map((pair) => pair.a.id);
  const onlyB = pairs.filter((pair) => !pair.a.solved && pair.b.solved).map((pair) => pair.a.id);
  const listMissing = (tasks: readonly ComparedTask[]): readonly string[] =>
    tasks.map(({ id }) => id).filter((id) => !ids.has(id));
  return {
    tasks: pairs.length,
    solved: { a: pairs.filter((pair) => pair.a.solved).length, b: pairs.filter((pair) => pair.b.solved).length },
    only_a_solved: onlyA,
    only_b_solved: onlyB,
    p: testPairs(onlyA.length, onlyB.length),
    measures: measures.map(([name, read]) => compareMeasure(name, pairs, read)),
    missing: { a: listMissing(b), b: listMissing(a) },
  };
}

function compareMeasure(
  name: ComparedMeasure["name"],
  pairs: readonly Pair[],
  read: (task: ComparedTask) => number | null,
): ComparedMeasure {
  const known = pairs.flatMap((pair) => {
    const [a, b] = [read(pair.a), read(pair.b)];
    return a === null || b === null ? [] : [{ a, b }];
  });
  const [a, b] = [known.reduce((sum, pair) => sum + pair.a, 0), known.reduce((sum, pair) => sum + pair.b, 0)];
  const ratios = known.filter((pair) => pair.a > 0).map((pair) => pair.b / pair.a);
  return { name, pairs: known.length, a, b, ratio: a === 0 ? null : b / a, median_ratio: findMedian(ratios) };
}

function findMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/**
 * Only the tasks that one run alone solved say anything: without a difference, each is as likely
 * either run's. Logarithms, since the coefficients of some thousand tasks are too big.
 */
function testPairs(onlyA: number, onlyB: number): number {
  const count = onlyA + onlyB;
  let [logChoose, tail] = [0, 0];
  for (let fewer = 0; fewer <= Math.min(onlyA, onlyB); fewer++) {
    if (fewer > 0) logChoose += Math.log((count - fewer + 1) / fewer);
    tail += Math.exp(logChoose - count * Math.LN2);
  }
  return Math.min(1, 2 * tail);
}
