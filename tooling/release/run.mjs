import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Runs a program to its end; gives what it wrote. Throws with both streams where it fails. */
export async function run(file, args, options = {}) {
  try {
    return await promisify(execFile)(file, args, { maxBuffer: 64 * 1024 * 1024, timeout: 600_000, ...options });
  } catch (error) {
    const said = `${error.stdout ?? ""}\n${error.stderr ?? ""}`.trim().slice(-6000);
    throw new Error(`${[file, ...args].join(" ").slice(0, 300)}\n${said || error.message}`, { cause: error });
  }
}
