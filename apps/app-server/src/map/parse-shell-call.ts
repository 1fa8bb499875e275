import { quoteArgv } from "@unroll/text";
import type { FunctionCallItem } from "@unroll/protocol";
import * as z from "zod";

const commandTools: readonly string[] = ["shell", "shell_command", "exec_command"];
const command = z.union([z.string(), z.array(z.string())]);
const schema = z.looseObject({ command: command.optional(), cmd: command.optional(), workdir: z.string().nullish() });

/** The command that a call asked for; null where it is none, or cannot be read. */
export function readShellCall({
  name,
  arguments: text,
}: FunctionCallItem): { readonly command: string; readonly cwd: string | null } | null {
  if (!commandTools.includes(name)) return null;
  try {
    const { command: given, cmd, workdir } = schema.parse(JSON.parse(text));
    const asked = given ?? cmd;
    if (asked === undefined) return null;
    return { command: typeof asked === "string" ? asked : quoteArgv(asked), cwd: workdir ?? null };
  } catch {
    return null; // the model wrote what nobody can read
  }
}
