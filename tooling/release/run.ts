import { execFile, type ExecFileOptions } from "node:child_process";
import { promisify } from "node:util";

export interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, with nothing at its stdin, for at most ten minutes; gives what it wrote. Throws with both streams where it fails. */
export async function run(file: string, args: readonly string[], options: ExecFileOptions = {}): Promise<Said> {
  const settings = { maxBuffer: 64 * 1024 * 1024, timeout: 600_000, ...options, encoding: "utf8" } as const;
  try {
    const running = promisify(execFile)(file, args, settings);
    running.child.stdin?.end();
    return await running;
  } catch (error) {
    const said = ["stdout", "stderr"].map((stream) => String(Reflect.get(Object(error), stream) ?? "")).join("\n");
    const what = said.trim().slice(-6000) || String(error);
    throw new Error(`${[file, ...args].join(" ").slice(0, 300)}\n${what}`, { cause: error });
  }
}
