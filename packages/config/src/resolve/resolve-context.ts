import { dirname, join, resolve } from "node:path";
import { findHome } from "../codex-home.ts";
import type { ReadLayers } from "../layer/read-layers.ts";
import type { ModelCatalogue } from "../models/model-info.ts";

/** The sources of all parts of the configuration. */
export interface ResolveContext extends ReadLayers {
  readonly catalogue: ModelCatalogue;
}

/**
 * The absolute form of a path that `key` holds: `~` is `$HOME`; a relative path starts at the folder of the config file
 * that set it, or at the working folder where no file did.
 */
export function resolvePath(
  { origins, sources, cwd }: Pick<ResolveContext, "origins" | "sources" | "cwd">,
  key: string,
  path: string,
): string {
  const origin = origins.get(key);
  return resolve(origin?.type === "file" ? dirname(origin.path) : cwd, expandHome(path, findHome(sources.env)));
}

/** A path with the home folder for its `~`. */
export function expandHome(path: string, home: string | null): string {
  return home !== null && (path === "~" || path.startsWith("~/")) ? join(home, path.slice(1)) : path;
}
