import type { ResolvedConfig } from "@unroll/config";
import { openLocalServer } from "@unroll/harness";
import { readLines } from "@unroll/text";
import { ProgramError } from "../failure/program-error.ts";
import { parsePullProgress, type PullProgress } from "./parse-pull-progress.ts";

/** One line says how far the pull is. */
const maxLineBytes = 1024 * 1024;

/**
 * Has Ollama fetch the config's model (`POST /api/pull`), which continues a pull that was stopped. Throws `ProgramError` `pull_failed`
 * with Ollama's reason; rejects on abort.
 */
export async function* pullModel(
  config: ResolvedConfig,
  context: Parameters<typeof openLocalServer>[1],
): AsyncGenerator<PullProgress, void> {
  const { model } = config;
  try {
    const answer = await openLocalServer(config, context).open("/api/pull", { model, stream: true });
    for await (const line of readLines(answer, maxLineBytes)) {
      if (line.type === "oversized") throw failed(model, `the server sent a line of ${line.bytes} bytes`);
      if (line.text.trim() !== "") yield toProgress(line.text, model);
    }
  } catch (error) {
    if (error instanceof ProgramError || context.signal.aborted) throw error;
    const reason = error instanceof Error && error.name === "Unreachable" ? error.message : "the connection was lost";
    throw failed(model, reason, error);
  }
}

function toProgress(line: string, model: string): PullProgress {
  const { error, ...progress } = parsePullProgress(line);
  if (error !== null) throw failed(model, error);
  return progress;
}

function failed(model: string, reason: string, cause?: unknown): ProgramError {
  const message = `Could not pull the model ${model}: ${reason}. Try \`ollama pull ${model}\`, or another name with -m.`;
  return new ProgramError("pull_failed", message, { cause });
}
