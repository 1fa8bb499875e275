import type { ResolvedConfig } from "@unroll/config";
import { checkProvider } from "@unroll/harness";
import { ProgramError } from "../failure/program-error.ts";
import type { ModelDialog } from "./model-dialog.ts";
import type { PullProgress } from "./parse-pull-progress.ts";
import { pullModel } from "./pull-model.ts";

export interface PrepareOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Null: nobody is asked. */
  readonly dialog: ModelDialog | null;
}

/**
 * Checks a server on this machine before the first request, and downloads its model if you approve. Throws
 * `ProgramError`.
 */
export async function prepareProvider(config: ResolvedConfig, options: PrepareOptions): Promise<void> {
  const health = await checkProvider(config, options);
  if (health === null || health.type === "ready") return;
  const { dialog } = options;
  const isPulled =
    health.type === "model_missing" &&
    health.canPull &&
    dialog !== null &&
    (await dialog.confirm(`Ollama does not have the model ${health.model}. Pull it now?`));
  if (!isPulled) throw new ProgramError("input", health.message);
  await pull(config, options, dialog);
}

async function pull(config: ResolvedConfig, options: PrepareOptions, dialog: ModelDialog): Promise<void> {
  let last = "";
  for await (const progress of pullModel(config, options)) {
    const line = renderProgress(progress);
    if (line !== last) dialog.tell(line);
    last = line;
  }
}

/** In steps of 10 %, so that a log of it is short. */
function renderProgress({ status, bytes }: PullProgress): string {
  if (bytes === null) return status;
  const tenths = Math.floor((10 * bytes.completed) / bytes.total);
  return `${status}: ${tenths * 10} % of ${formatBytes(bytes.total)}`;
}

function formatBytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
