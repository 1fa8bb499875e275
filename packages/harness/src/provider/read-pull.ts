import type { ResolvedConfig } from "@unroll/config";
import { readLines } from "@unroll/text";
import * as z from "zod";
import { HarnessError } from "../harness-error.ts";
import type { LocalContext } from "./local-context.ts";
import { openLocalServer, Unreachable } from "./local-server.ts";
import type { PullProgress } from "./pull-progress.ts";

const lineSchema = z.object({
  status: z.string().catch(""),
  error: z.string().optional(),
  total: z.number().optional(),
  completed: z.number().catch(0),
});

/** One tells how far it is. */
const maxLineBytes = 1024 * 1024;

/** As `pullModel` says, which loads it. */
export async function* readPull(config: ResolvedConfig, context: LocalContext): AsyncGenerator<PullProgress, void> {
  const { model } = config;
  try {
    const { body } = await openLocalServer(config, context).open("/api/pull", { model, stream: true });
    if (body === null) return;
    for await (const line of readLines(body, maxLineBytes)) {
      if (line.type === "oversized") throw failed(model, `the server sent a line of ${line.bytes} bytes`);
      if (line.text.trim() !== "") yield toProgress(line.text, model);
    }
  } catch (error) {
    if (error instanceof HarnessError || context.signal.aborted) throw error;
    throw failed(model, error instanceof Unreachable ? error.message : "the connection broke off", error);
  }
}

function toProgress(line: string, model: string): PullProgress {
  const { status, error, total, completed } = lineSchema.parse(JSON.parse(line));
  if (error !== undefined) throw failed(model, error);
  return { status, bytes: total === undefined || total === 0 ? null : { completed, total } };
}

function failed(model: string, reason: string, cause?: unknown): HarnessError {
  const message = `The model ${model} could not be pulled: ${reason}. Try \`ollama pull ${model}\`, or another name with -m.`;
  return new HarnessError("pull_failed", message, { cause });
}
