import type { ResolvedConfig } from "@unroll/config";
import type { LocalContext } from "./local-context.ts";
import type { PullProgress } from "./pull-progress.ts";
import { checkCall } from "../options/check-call.ts";

/**
 * Has Ollama fetch the config's model (`POST /api/pull`), which goes on from where it was left. Throws `HarnessError` `pull_failed`
 * with Ollama's reason; rejects on abort.
 */
export async function* pullModel(config: ResolvedConfig, context: LocalContext): AsyncGenerator<PullProgress, void> {
  checkCall("pullModel", { config, context }, { "config.provider": "an object", "context.env": "an object" });
  const { readPull } = await import("./read-pull.ts");
  yield* readPull(config, context);
}
