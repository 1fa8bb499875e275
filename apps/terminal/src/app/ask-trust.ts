import { access } from "node:fs/promises";
import { join } from "node:path";
import type { ResolvedConfig } from "@unroll/config";
import { createChooseFlow } from "../dialog/choose-flow.ts";
import { type Opening, tell } from "./app.ts";
import { shortenHome } from "../text/shorten-home.ts";

/** Files of a project that count only if you trust it. */
const ownFiles = [".codex/config.toml", ".codex/skills", ".agents/skills"];

/** Asks once whether a project may configure the program, if it has files that would. The answer is written to `config.toml`. */
export async function askTrust({ driver, signal, host }: Opening, config: ResolvedConfig): Promise<void> {
  const root = config.projectRoot ?? config.cwd;
  const isHome = root === host.homeDirectory;
  if (config.projectTrust !== null || isHome) return;
  const found = [];
  for (const file of ownFiles) if (await isThere(join(root, file))) found.push(file);
  if (found.length === 0) return;
  const title = `Trust this project? Its settings, MCP servers and skills (${found.join(", ")}) will be used. The sandbox does not change.`;
  const options = [
    { value: "untrusted", label: "no", description: "ignore them, and do not ask again" },
    { value: "trusted", label: "yes", description: "use them" },
    { value: "later", label: "not now", description: "ignore them, and ask again next time" },
  ];
  const answer = await driver.ask(createChooseFlow({ title, options }), signal);
  if (answer !== "trusted" && answer !== "untrusted") return;
  const file = join(config.codexHome, "config.toml");
  const { setConfigKey } = await import("@unroll/config/upkeep");
  await setConfigKey(file, `projects.${JSON.stringify(root)}.trust_level`, JSON.stringify(answer));
  tell({ driver }, `Saved in ${shortenHome(file, host.homeDirectory)}: ${answer}.`, "muted");
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
