import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve, sep } from "node:path";
import { isInside, type PathMemory, resolveIfAny } from "@unroll/files";

/** Where commands look for programs, and whose folders these are. */
export interface ShadowPlaces {
  /** As the variable `PATH` has it. */
  readonly path: string;
  /** The working folder, which names without a slash in front begin at; and the folders that commands may write. */
  readonly folders: readonly [string, ...(readonly string[])];
  /** The folders among them that are known to be real paths. */
  readonly realFolders: readonly string[];
  /** Remembers whose folders they are. */
  readonly paths: Pick<PathMemory, "look" | "keeps">;
}

/**
 * Whether a program of the workspace may replace a known name: `npx` puts the project's own `node_modules/.bin` first,
 * and anyone who contributed to the project may have filled it. A name with a slash stands for itself.
 */
export function createShadowTest({ path, folders, realFolders, paths }: ShadowPlaces): (name: string) => boolean {
  const [cwd] = folders;
  const places = [...new Set(path.split(delimiter))];
  let own: readonly string[] | null = null;
  const isOwn = (place: string): boolean => {
    if (!isAbsolute(place) || isModules(place)) return true;
    own ??= [...new Set(folders)].map((folder) => (realFolders.includes(folder) ? folder : toRealPath(folder)));
    const real = paths.look(() => toRealPath(place));
    return own.some((folder) => isInside(real, folder));
  };
  // Whether a name is there is one look; whose folder it is takes one for each part of its path, unless it is remembered.
  const isIn = (place: string, name: string): boolean => {
    const exists = (): boolean => existsSync(join(resolve(cwd, place), name));
    return isAbsolute(place) && paths.keeps(place) ? isOwn(place) && exists() : exists() && isOwn(place);
  };
  return (name) => name !== "" && !name.includes("/") && places.some((place) => isIn(place, name));
}

/** With links followed; of what is not there, the path as it is. */
function toRealPath(path: string): string {
  return resolveIfAny(path) ?? resolve(path);
}

function isModules(place: string): boolean {
  return place.split(sep).includes("node_modules");
}
