import * as z from "zod";
import { BatchError } from "../batch-error.ts";

/** A task's result in an evaluation: a line of a batch's results, or of another program's. */
export interface EvaluatedTask {
  readonly id: string;
  readonly solved: boolean;
  /** In US dollars; null: not known. */
  readonly cost: number | null;
  /** Null: not known. */
  readonly durationMs: number | null;
  /** Null: not known. */
  readonly usage: { readonly input: number; readonly cached: number; readonly output: number } | null;
}

/** The results of a run. */
export interface EvaluatedRun {
  readonly tasks: readonly EvaluatedTask[];
  /** Whether each line has `solved`. Otherwise a task counts as solved if it completed. */
  readonly isGraded: boolean;
}

const count = z.number().nonnegative();

/** Loose: your grader may add members of its own. */
const resultSchema = z.object({
  id: z.string().min(1),
  status: z.enum(["completed", "failed"]),
  solved: z.boolean().optional(),
  cost: count.nullish(),
  duration_ms: count.nullish(),
  usage: z.object({ input_tokens: count, cached_input_tokens: count.default(0), output_tokens: count }).nullish(),
});

/**
 * Reads results from JSON lines; empty lines are skipped. `name` is the file's, for messages. Throws
 * `BatchError` `invalid_results` with file, line and field for a broken line, an id that an earlier
 * line has, and a line without `solved` where others have it.
 */
export function parseResults(lines: string, name: string): EvaluatedRun {
  const tasks = new Map<string, EvaluatedTask>();
  const ungraded: number[] = [];
  for (const [index, source] of lines.split("\n").entries()) {
    if (source.trim() === "") continue;
    const place = `${name}, line ${index + 1}`;
    const { id, status, solved, cost, duration_ms: durationMs, usage } = parseResult(source, place);
    if (tasks.has(id))
      throw invalid(`${place}: id: ${JSON.stringify(id)} is on an earlier line, too. Keep one of them.`);
    if (solved === undefined) ungraded.push(index + 1);
    tasks.set(id, {
      id,
      solved: solved ?? status === "completed",
      cost: cost ?? null,
      durationMs: durationMs ?? null,
      usage: usage
        ? { input: usage.input_tokens, cached: usage.cached_input_tokens, output: usage.output_tokens }
        : null,
    });
  }
  if (tasks.size === 0)
    throw invalid(`${name} has no results. Write them with unroll exec --batch FILE --out ${name}.`);
  const isGraded = ungraded.length < tasks.size;
  if (isGraded && ungraded.length > 0)
    throw invalid(`${name}, line ${ungraded[0]}: solved: missing, but other lines have it. Add true or false.`);
  return { tasks: [...tasks.values()], isGraded };
}

function parseResult(source: string, place: string): z.infer<typeof resultSchema> {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw invalid(`${place} is not a JSON object: each line is the result of a task.`, error);
  }
  const parsed = resultSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalid(`${place}: ${issue?.path.join(".") || "the line"}: ${issue?.message ?? "wrong value"}.`);
}

function invalid(message: string, cause?: unknown): BatchError {
  return new BatchError("invalid_results", message, { cause });
}
