import { isInside, kindOf } from "@unroll/files";

/** A folder in which programs of the machine meet: their sockets, pipes and secrets. */
export interface RuntimeFolder {
  readonly path: string;
  /** What of it commands still see. */
  readonly visible: readonly string[];
}

/** Of what lies in `/run`: what systems keep their programs, and the rules for names and time, in. */
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
  /** Of the command. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Those of this machine. A command sees its working folder there, and where its programs are. */
export function findRuntimeFolders({ cwd, environment }: RuntimeNeeds): readonly RuntimeFolder[] {
  const needed = [...alwaysVisible, ...(environment["PATH"] ?? "").split(":"), cwd];
  return ["/run", "/var/run"]
    .filter((path) => kindOf(path) === "folder")
    .map((path) => ({ path, visible: needed.filter((each) => isInside(each, path) && kindOf(each) !== "missing") }));
}
