import { join } from "node:path";
import type { ResolvedConfig } from "@unroll/config";
import { toProgramFailure } from "@unroll/program";
import { showHidden } from "@unroll/text";
import { createChooseFlow } from "../dialog/choose-flow.ts";
import { type Opening, tell } from "./app.ts";
import { shortenHome } from "../text/shorten-home.ts";

/**
 * Asks once for each project whether the model may edit files, if nothing says so yet. The answer is written to `config.toml`. Later starts
 * read it there.
 */
export async function askEdit({ driver, flags, signal, host }: Opening, config: ResolvedConfig): Promise<void> {
  const root = config.projectRoot ?? config.cwd;
  const isUndecided = !config.origins.has("sandbox_mode") && flags.ignoreUserConfig !== true;
  if (!isUndecided || root === host.homeDirectory || root === "/") return;
  const title = `May I edit files here? (${showHidden(root)})`;
  const options = [
    {
      value: "read-only",
      key: "n",
      label: "no, read only",
      description: "the model reads files; it asks before it changes one, or cannot if you are never asked",
    },
    {
      value: "workspace-write",
      key: "y",
      label: "yes, edit",
      description: "patches and commands may write here, in a sandbox without network",
    },
  ];
  const answer = await driver.ask(createChooseFlow({ title, options }), signal);
  if (answer === null) return;
  const file = join(config.codexHome, "config.toml");
  const { setConfigKey } = await import("@unroll/config/upkeep");
  try {
    await setConfigKey(file, `projects.${JSON.stringify(root)}.sandbox_mode`, JSON.stringify(answer));
    const key = driver.showKey("chat.next_permission_mode");
    const how = key === null ? "/mode changes" : `${key} and /mode change`;
    tell({ driver }, `Saved in ${shortenHome(file, host.homeDirectory)}: ${answer}. ${how} it for a thread.`, "muted");
  } catch (error) {
    const { error: failure } = toProgramFailure(error);
    tell({ driver }, `Your answer was not saved, so this stays read-only: ${failure.message}`, "warning");
  }
}
