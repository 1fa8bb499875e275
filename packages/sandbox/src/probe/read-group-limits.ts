import { dirname, join } from "node:path";
import { readTextIfAny } from "@unroll/files";

/** What the control groups around this process hold it to, with all that it starts; null: nothing that can be seen from here. */
export interface GroupLimits {
  readonly memoryBytes: number | null;
  readonly processes: number | null;
}

/** The first version has a tree for each controller, the second one tree; their files have different names. See cgroups(7). */
const files = {
  memory: { first: "memory.limit_in_bytes", second: "memory.max" },
  pids: { first: "pids.max", second: "pids.max" },
} as const;
/** What the first version says for "none" is somewhat below 2^63. */
const smallestNone = 2 ** 62;

/** `root` holds `proc` and `sys`. */
export function readGroupLimits(root: string): GroupLimits {
  const lines = (readTextIfAny(join(root, "proc/self/cgroup")) ?? "").split("\n");
  const groups = lines.flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    return controllers === undefined || path === undefined ? [] : [{ controllers: controllers.split(","), path }];
  });
  const read = (controller: keyof typeof files): number | null => {
    const values = groups.flatMap(({ controllers, path }) => {
      const folders = controllers.includes(controller) ? [controller, controllers.join(",")] : [];
      const first = folders.flatMap((folder) =>
        readUpwards(join(root, "sys/fs/cgroup", folder), path, files[controller].first),
      );
      const isSecond = controllers.join("") === "";
      return isSecond ? readUpwards(join(root, "sys/fs/cgroup"), path, files[controller].second) : first;
    });
    return values.length === 0 ? null : Math.min(...values);
  };
  return { memoryBytes: read("memory"), processes: read("pids") };
}

/** The file's numbers in `path` below `tree`, and in every folder above. */
function readUpwards(tree: string, path: string, file: string): readonly number[] {
  const value = Number.parseInt(readTextIfAny(join(tree, path, file)) ?? "", 10);
  const own = value < smallestNone ? [value] : [];
  return path === "/" ? own : [...own, ...readUpwards(tree, dirname(path), file)];
}
