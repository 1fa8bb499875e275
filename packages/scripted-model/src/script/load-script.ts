import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { describeJsonFault, describeSystemError, formatPlace } from "@unroll/text";
import type * as z from "zod";
import { parseJson } from "../json.ts";
import { ScriptedModelError } from "../scripted-model-error.ts";
import { type FileScript, type FileTurn, scriptSchema } from "./script-schema.ts";
import type { Script, ScriptTurn } from "./script.ts";

/**
 * Reads a script file and the recordings it names. Throws ScriptedModelError: `script_unreadable` or, with the place in
 * the document and what was expected there, `script_invalid`.
 */
export async function loadScript(file: string): Promise<Script> {
  const { turns, compactions, ...rest } = parseScript((await readBytes("The script", file)).toString("utf8"), file);
  const load = (list: readonly FileTurn[]) => Promise.all(list.map((turn) => loadRecording(turn, dirname(file))));
  return { ...rest, turns: await load(turns), ...(compactions ? { compactions: await load(compactions) } : {}) };
}

function parseScript(text: string, file: string): FileScript {
  const parsed = scriptSchema.safeParse(parseDocument(text, file));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${placeOf(issue)}: ${issue.message}`);
  throw new ScriptedModelError("script_invalid", `${file} is not a valid script:\n${lines.join("\n")}`);
}

function parseDocument(text: string, file: string): unknown {
  const fault = describeJsonFault(text);
  if (fault === null) return parseJson(text);
  throw new ScriptedModelError("script_invalid", `${file} is not valid JSON: ${fault}. Correct it there.`);
}

/** `turns[2].items[0].call` */
function placeOf(issue: z.core.$ZodIssue): string {
  return formatPlace(issue.path) || "the document";
}

async function loadRecording(turn: FileTurn, folder: string): Promise<ScriptTurn> {
  if (!("sse" in turn)) return turn;
  const { sse, ...rest } = turn;
  return { ...rest, raw: await readBytes("The recording", resolve(folder, sse)) };
}

async function readBytes(what: string, file: string): Promise<Buffer> {
  try {
    return await readUnlessPipe(file);
  } catch (cause) {
    const message = `${what} ${file} cannot be read: ${describeSystemError(cause)}.`;
    throw new ScriptedModelError("script_unreadable", message, { cause });
  }
}

/** A named pipe would keep its reader, and its signals; those in `/dev` and `/proc`, a shell's `<(…)`, are open already. */
async function readUnlessPipe(file: string): Promise<Buffer> {
  const isOpen = /^\/(dev|proc)\//.test(file);
  if (!isOpen && (await stat(file)).isFIFO()) throw new Error("it is a pipe, not a regular file");
  return await readFile(file);
}
