import type { ChildProcess, SpawnOptions } from "node:child_process";
import {
  findSystemProgram,
  openPrograms,
  type ProgramPlaces,
  type Programs,
  requireShell,
  spawnProgram,
} from "@unroll/process-tree";
import { describeSystemError } from "@unroll/text";
import type { ProcessIo } from "./process-io.ts";

/** As a shell exits that finds no such program. */
const notFound = 127;

/**
 * Opens a file in the person's editor and waits for its end: `$VISUAL`, else `$EDITOR`, each a command with arguments as a shell reads
 * it (`code --wait`), else what every system has. On PATH it is found in no folder that a project can fill. The terminal is the editor's meanwhile. Null: it ended well; else why not, in a sentence.
 */
export async function runEditor(
  file: string,
  io: Pick<ProcessIo, "cwd" | "env" | "platform" | "onSignal"> & Pick<ProgramPlaces, "projects">,
): Promise<string | null> {
  const { env, platform } = io;
  const editor = env["VISUAL"] || env["EDITOR"] || (platform === "win32" ? "notepad" : "vi");
  const { environment, find } = openPrograms(io);
  const options = { stdio: "inherit", env: environment } as const;
  const line = platform === "win32" ? null : findEditor(editor, find);
  if (line !== null && "fault" in line) return line.fault;
  const unwatch = io.onSignal(() => {}); // ^C is for the editor
  const ended = Promise.withResolvers<number | null>();
  try {
    const child =
      line === null
        ? openByCommandPrompt(`${editor} "${file}"`, options)
        : spawnProgram(requireShell(), ["-c", `${line.command} "$1"`, line.program, file], options);
    child.on("error", ended.reject).on("close", ended.resolve);
    const code = await ended.promise;
    if (code === 0) return null;
    if (code === notFound) return `Cannot find the editor (${editor}): set VISUAL or EDITOR.`;
    return `The editor (${editor}) ended with ${code === null ? "a signal" : `exit code ${code}`}, so its text was not used.`;
  } catch (error) {
    return `The editor (${editor}) cannot be started: ${describeSystemError(error)}.`;
  } finally {
    unwatch();
  }
}

/** `program` is `$0` in the shell's command. */
type EditorLine = { readonly command: string; readonly program: string } | { readonly fault: string };

/** Assignments, and the first word, in quotes or not. */
const beginning = /^\s*((?:\w+=[\w./:,+-]*\s+)*)(?:"([^"\\$`]+)"|'([^']+)'|([\w./+:,@%-]+))(?=[\s;|&<>()]|$)/;

/** The shell would follow a link on `PATH` into the project, so the program is found here. The author of a path chose it. */
function findEditor(editor: string, find: Programs["find"]): EditorLine {
  const [all, assignments = "", ...quotedOrPlain] = beginning.exec(editor) ?? [];
  const name = quotedOrPlain.join("");
  const [firstWord = ""] = editor.trim().split(/\s/);
  if (all === undefined) {
    if (firstWord.includes("/")) return { command: editor, program: "sh" };
    return { fault: `Cannot tell which program the editor (${editor}) is: write its path in VISUAL or EDITOR.` };
  }
  const search = find(name);
  if (search.type === "found")
    return { command: `${assignments}"$0"${editor.slice(all.length)}`, program: search.file };
  if (search.passedOver === null) return { command: editor, program: "sh" }; // the shell's own, or there is none
  return { fault: `Cannot use the editor (${editor}): ${search.message} Write the path of yours in VISUAL or EDITOR.` };
}

/** As Node.js starts a command line on Windows. */
function openByCommandPrompt(line: string, options: SpawnOptions): ChildProcess {
  const file = findSystemProgram("cmd.exe");
  if (file === null) throw new Error("cmd.exe is not where Windows has it");
  return spawnProgram(file, ["/d", "/s", "/c", `"${line}"`], { ...options, windowsVerbatimArguments: true });
}
