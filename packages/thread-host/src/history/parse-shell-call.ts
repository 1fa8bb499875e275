import type { FunctionCallItem } from "@unroll/protocol";
import { quoteArgv } from "@unroll/text";

const commandTools: readonly string[] = ["shell", "shell_command", "exec_command"];

/** The command that a call asked for; null where it is none, or cannot be read. */
export function parseShellCall({
  name,
  arguments: text,
}: FunctionCallItem): { readonly command: string; readonly cwd: string | null } | null {
  if (!commandTools.includes(name)) return null;
  try {
    const given = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    const asked = given?.["command"] ?? given?.["cmd"];
    const command = Array.isArray(asked) ? quoteArgv(asked.map(String)) : asked;
    const cwd = given?.["workdir"];
    return typeof command === "string" ? { command, cwd: typeof cwd === "string" ? cwd : null } : null;
  } catch {
    return null; // the model wrote what nobody can read
  }
}
