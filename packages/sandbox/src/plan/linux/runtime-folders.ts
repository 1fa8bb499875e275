import { isInside, kindOf } from "@unroll/files";
import { listEntries } from "../../files/list-entries.ts";

/** A folder with the sockets, pipes and secrets of the machine's programs. */
export interface RuntimeFolder {
  readonly path: string;
  /** The part of it that commands still see. */
  readonly visible: readonly string[];
}

/** Parts of `/run` in which systems keep their programs and the settings for names and time. */
const alwaysVisible = [
  "/run/current-system",
  "/run/booted-system",
  "/run/opengl-driver",
  "/run/opengl-driver-32",
  "/run/host/etc",
  "/run/host/usr",
  "/run/media",
  "/run/systemd/resolve",
];

interface RuntimeNeeds {
  readonly cwd: string;
  /** The command's own. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The runtime folders of this machine. A command still sees its working folder and its programs in them. */
export function findRuntimeFolders({ cwd, environment }: RuntimeNeeds): readonly RuntimeFolder[] {
  const needed = [...alwaysVisible, ...(environment["PATH"] ?? "").split(":"), cwd];
  return ["/run", "/var/run"]
    .filter((path) => kindOf(path) === "folder")
    .map((path) => {
      listEntries(path); // answers for the names below
      return { path, visible: needed.filter((each) => isInside(each, path) && kindOf(each) !== "missing") };
    });
}
