/** Where a value was set. */
export type Origin =
  /** Line and column are counted from 1; they point at the key. */
  | { readonly type: "file"; readonly path: string; readonly line: number; readonly column: number }
  /** The command line: `-c`, `--model`, … */
  | { readonly type: "argument"; readonly name: string }
  | { readonly type: "environment"; readonly name: string }
  /** Changed since the thread was opened, or kept by a thread that was resumed. */
  | { readonly type: "thread" }
  /** Comes with the program. */
  | { readonly type: "built_in" };

/** For the head of a message: `/home/a/.codex/config.toml:3:1`, `-c`, `$OPENAI_BASE_URL`. */
export function formatOrigin(origin: Origin): string {
  switch (origin.type) {
    case "file":
      return `${origin.path}:${origin.line}:${origin.column}`;
    case "argument":
      return origin.name;
    case "environment":
      return `$${origin.name}`;
    case "thread":
      return "this thread";
    case "built_in":
      return "built in";
  }
}
