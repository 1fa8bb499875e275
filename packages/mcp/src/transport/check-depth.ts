import { ServerFault } from "../fault/server-fault.ts";

/** Recursive code, above all `JSON.stringify`, cannot handle deeper nesting. */
const maxDepth = 200;

/** Throws `ServerFault` `invalid_answer` for a message that is nested too deeply. */
export function checkDepth(message: unknown): void {
  let level: readonly unknown[] = [message];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth)
      throw new ServerFault("invalid_answer", `its answer is nested deeper than ${maxDepth} levels`);
    level = level.flatMap((value): readonly unknown[] =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
}
