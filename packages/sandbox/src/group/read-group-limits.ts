import { dirname, join } from "node:path";
import { readTextIfAny } from "@unroll/files";
import { limitFiles } from "./limit-files.ts";
import { type Controller, type Hierarchy, readHierarchies } from "./read-hierarchies.ts";

/**
 * The limits that control groups set on this process and everything it starts; null: none that can
 * be seen from here.
 */
export interface GroupLimits {
  readonly memoryBytes: number | null;
  readonly processes: number | null;
}

/** Version 1 writes "none" as a number slightly below 2^63. */
const smallestNone = 2 ** 62;

/** `root` holds `proc` and `sys`. */
export function readGroupLimits(root: string): GroupLimits {
  const hierarchies = readHierarchies(root);
  const read = (controller: Controller): number | null => {
    const values = hierarchies
      .filter(({ controllers }) => controllers.includes(controller))
      .flatMap((each) => readUpwards(each, limitFiles[each.version][controller]));
    return values.length === 0 ? null : Math.min(...values);
  };
  return { memoryBytes: read("memory"), processes: read("pids") };
}

/** The file's numbers in our own group and in every group around it. */
function readUpwards({ own, top }: Pick<Hierarchy, "own" | "top">, file: string): readonly number[] {
  const value = Number.parseInt(readTextIfAny(join(own, file)) ?? "", 10);
  const here = value < smallestNone ? [value] : [];
  return own === top ? here : [...here, ...readUpwards({ own: dirname(own), top }, file)];
}
