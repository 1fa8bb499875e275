// Answers as servers write them: by a guise of the scripted model, from recorded bytes, or event by event.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel } from "../../packages/scripted-model/src/index.ts";

const recorded = join(import.meta.dirname, "../answers");

/** A server for one case. `turns`: each a turn of a script or a function of the request; the last one stays. */
export async function serve({ guise, turns }) {
  const respond = (request, index) => {
    const turn = turns[Math.min(index, turns.length - 1)];
    return typeof turn === "function" ? turn(request) : turn;
  };
  // what is looked at is what comes of it, whatever else a program sends
  const tolerant = guise === undefined ? {} : { guise: { ...guise, findUnsupported: () => [] } };
  const checks = { prefix: false, calls: false, fields: false };
  return startScriptedModel({ respond, checks, allowViolations: true, ...tolerant });
}

const toolsOf = ({ body }) => (body.tools ?? []).map(({ name, type }) => name ?? type);

/** A call of the shell, by the name and the member that the program offers. */
export function shell(request, command) {
  const isUnified = toolsOf(request).includes("exec_command");
  return isUnified
    ? { call: "exec_command", arguments: { cmd: command, yield_time_ms: 10_000 } }
    : { call: "shell_command", arguments: { command } };
}

/** A command that leaves a line behind each time that it runs. */
export const mark = (request, word) => shell(request, `echo ${word} >> ran.txt`);

/** A turn of the recorded bytes in a folder of `conformance/answers`; calls of the shell are written as the program offers it, and leave lines behind. */
export function replay(folder, words) {
  const text = readFileSync(join(recorded, folder, "stream.sse"), "utf8");
  return (request) => {
    const isUnified = toolsOf(request).includes("exec_command");
    const names = isUnified ? text.replaceAll("shell_command", "exec_command").replaceAll('\\"command\\"', '\\"cmd\\"') : text;
    return { raw: words.reduce((all, [recordedCommand, word]) => all.replaceAll(recordedCommand, `echo ${word} >> ran.txt`), names) };
  };
}

/** Events as they stand. A function of the call of the shell, as JSON text of its arguments, and its name. */
export const tell = (write) => (request) => {
  const toCall = (word) => {
    const { call, arguments: given } = mark(request, word);
    return { name: call, arguments: JSON.stringify(given), given };
  };
  return { events: write(toCall) };
};

/** The events of a finished response. */
export const completed = (output, more = {}) => {
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  return { type: "response.completed", response: { id: "resp_1", object: "response", status: "completed", output, usage, ...more } };
};

export const message = (id, text) => ({ id, type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text, annotations: [] }] });
