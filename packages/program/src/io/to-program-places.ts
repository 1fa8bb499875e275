import { listProjectFolders, type ResolvedConfig } from "@unroll/config";
import type { ProgramPlaces } from "@unroll/process-tree";
import type { ProcessIo } from "./process-io.ts";

/** Where the user's programs (git, an editor, a browser) are looked for on behalf of a thread with this config. */
export function toProgramPlaces(
  config: Parameters<typeof listProjectFolders>[0] & Pick<ResolvedConfig, "cwd">,
  { env }: Pick<ProcessIo, "env">,
): ProgramPlaces {
  return { env, cwd: config.cwd, projects: listProjectFolders(config) };
}
