import type { ResolvedConfig } from "@unroll/config";
import { toProgramFailure } from "@unroll/program";
import type { CommandContext } from "./terminal-command.ts";

/** Continues the thread with the model or the account of the config. False: you declined to resend the thread. */
export async function switchConfig(
  { threads }: Pick<CommandContext, "threads">,
  config: ResolvedConfig,
): Promise<boolean> {
  try {
    await threads.chooseModel(config);
    return true;
  } catch (error) {
    if (toProgramFailure(error).error.code === "other_model") return false;
    throw error;
  }
}
