import { parseOutputSchema } from "@unroll/harness";
import * as z from "zod";
import { BatchError } from "../batch-error.ts";
import type { BatchTask } from "./batch-task.ts";

const text = z.string().refine((value) => value.trim() !== "", "must not be empty");

/** A credential in a task would be in the queue, and in every list of it. */
const gitUrl = text.refine((url) => !/^\w+:\/\/[^/@]*:[^/@]*@|^https?:\/\/[^/@]*@/i.test(url), {
  message: "has a user or a password. Let git on the workers have the credential",
});

const taskSchema = z.strictObject({
  id: text,
  prompt: text,
  cwd: text.optional(),
  git: z.strictObject({ url: gitUrl, ref: text.exactOptional() }).optional(),
  model: text.optional(),
  config: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  images: z.array(text).optional(),
  output_schema: z.record(z.string(), z.unknown()).optional(),
  resume: text.optional(),
});

/**
 * Reads tasks from JSON lines; empty lines are skipped. `name` is the file's, for messages. Throws
 * `BatchError` `invalid_tasks` with file, line and field for a broken line, an unknown field and an
 * id that an earlier line has, and `HarnessError` for an invalid output schema.
 */
export function parseTasks(lines: string, name: string): readonly BatchTask[] {
  const tasks = new Map<string, { readonly task: BatchTask; readonly line: number }>();
  for (const [index, source] of lines.split("\n").entries()) {
    if (source.trim() === "") continue;
    const line = index + 1;
    const place = `${name}, line ${line}`;
    const task = parseTask(source, place);
    const same = tasks.get(task.id);
    if (same !== undefined)
      throw invalid(`${place}: id: ${JSON.stringify(task.id)} is also the id of line ${same.line}. Give each its own.`);
    tasks.set(task.id, { task, line });
  }
  if (tasks.size === 0) throw invalid(`${name} has no tasks. Write one JSON object a line: {"id":"a","prompt":"…"}`);
  return [...tasks.values()].map(({ task }) => task);
}

/** The fields of a task's line: what `parseTasks` reads, as a queue carries it. */
export function encodeTask({ outputSchema, ...task }: BatchTask): object {
  return outputSchema === undefined ? task : { ...task, output_schema: outputSchema };
}

function parseTask(source: string, place: string): BatchTask {
  const parsed = taskSchema.safeParse(parseJson(source, place), { reportInput: true });
  if (!parsed.success) throw invalid(`${place}: ${explainIssues(parsed.error.issues)}`);
  const { id, prompt, cwd, git, model, config, images, output_schema: schema, resume } = parsed.data;
  return {
    id,
    prompt,
    ...(cwd !== undefined && { cwd }),
    ...(git !== undefined && { git }),
    ...(model !== undefined && { model }),
    ...(config !== undefined && { config }),
    ...(images !== undefined && { images }),
    ...(schema !== undefined && { outputSchema: parseOutputSchema(JSON.stringify(schema), `${place}: output_schema`) }),
    ...(resume !== undefined && { resume }),
  };
}

function parseJson(source: string, place: string): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    throw invalid(`${place} is not a JSON object. Write one task on each line.`, error);
  }
}

/** A field that we do not know may be a limit, so it is never ignored; and it may be the misspelt name of one that is missing. */
function explainIssues(issues: readonly z.core.$ZodIssue[]): string {
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  if (issue?.code === "unrecognized_keys")
    return `${issue.keys.join(", ")}: unknown field. Known are ${Object.keys(taskSchema.shape).join(", ")}.`;
  const field = issue?.path.join(".") ?? "";
  if (field === "") return "a JSON object is expected.";
  if (issue?.code !== "invalid_type") return `${field}: ${issue?.message ?? "wrong value"}.`;
  return issue.input === undefined ? `${field} is missing.` : `${field}: must be of the type ${issue.expected}.`;
}

function invalid(message: string, cause?: unknown): BatchError {
  return new BatchError("invalid_tasks", message, { cause });
}
