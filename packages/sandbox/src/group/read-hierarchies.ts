import { join, relative } from "node:path";
import { isInside, readTextIfAny } from "@unroll/files";

/** The resources that a control group can limit here. */
export type Controller = "memory" | "pids";

/**
 * A tree of control groups, seen from this process. Version 1 has one tree for each controller.
 * Version 2 has one tree for all of them, and a group that holds processes passes on no
 * controllers. Source: cgroups(7).
 */
export interface Hierarchy {
  readonly version: 1 | 2;
  /** For version 2: the controllers of this tree's root. A group in it may lack some. */
  readonly controllers: readonly Controller[];
  /** The folder of the group that this process is in. */
  readonly own: string;
  /** The outermost folder that is visible from here. */
  readonly top: string;
}

const known: readonly Controller[] = ["memory", "pids"];

/** `root` holds `proc` and `sys`. */
export function readHierarchies(root: string): readonly Hierarchy[] {
  const mounts = readLines(join(root, "proc/self/mountinfo")).flatMap(parseMount);
  return readLines(join(root, "proc/self/cgroup")).flatMap((line) => {
    const [, names, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (names === undefined || path === undefined) return [];
    const version = names === "" ? 2 : 1;
    const controllers = known.filter((each) => version === 2 || names.split(",").includes(each));
    const mount = mounts.find(
      (each) => each.version === version && (version === 2 || controllers.some((one) => each.options.includes(one))),
    );
    if (controllers.length === 0 || mount === undefined) return [];
    const top = join(root, mount.point);
    // In a container, the file may name the path on the machine, while the mount begins below its
    // root.
    const below = isInside(path, mount.root) ? relative(mount.root, path) : "";
    return [{ version, controllers, own: join(top, below), top }];
  });
}

interface Mount {
  readonly version: 1 | 2;
  readonly root: string;
  readonly point: string;
  readonly options: readonly string[];
}

/** A line of proc_pid_mountinfo(5). */
function parseMount(line: string): readonly Mount[] {
  const [place = "", rest = ""] = line.split(" - ");
  const [, , , root = "", point = ""] = place.split(" ").map(unescape);
  const [type, , options = ""] = rest.split(" ");
  if (type !== "cgroup" && type !== "cgroup2") return [];
  return [{ version: type === "cgroup" ? 1 : 2, root, point, options: options.split(",") }];
}

function unescape(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

function readLines(path: string): readonly string[] {
  return (readTextIfAny(path) ?? "").split("\n");
}
