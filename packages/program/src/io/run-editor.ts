import { spawn } from "node:child_process";
import { describeSystemError } from "@unroll/text";
import type { ProcessIo } from "./process-io.ts";

/** As a shell exits that finds no such program. */
const notFound = 127;

/**
 * Opens a file in the person's editor and waits for its end: `$VISUAL`, else `$EDITOR`, each a command with arguments as a shell reads
 * it (`code --wait`), else what every system has. The terminal is the editor's meanwhile. Null: it ended well; else why not, in a sentence.
 */
export async function runEditor(
  file: string,
  io: Pick<ProcessIo, "env" | "platform" | "onSignal">,
): Promise<string | null> {
  const { env, platform } = io;
  const editor = env["VISUAL"] || env["EDITOR"] || (platform === "win32" ? "notepad" : "vi");
  const options = { stdio: "inherit", env: { ...env } } as const;
  const unwatch = io.onSignal(() => {}); // ^C is for the editor
  const ended = Promise.withResolvers<number | null>();
  const child =
    platform === "win32"
      ? spawn(`${editor} "${file}"`, { ...options, shell: true })
      : spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], options);
  child.on("error", ended.reject).on("close", ended.resolve);
  try {
    const code = await ended.promise;
    if (code === 0) return null;
    if (code === notFound) return `The editor (${editor}) is not there: set VISUAL or EDITOR.`;
    return `The editor (${editor}) ended with ${code === null ? "a signal" : `exit code ${code}`}: nothing was taken.`;
  } catch (error) {
    return `The editor (${editor}) cannot be started: ${describeSystemError(error)}.`;
  } finally {
    unwatch();
  }
}
