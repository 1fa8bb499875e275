import { isJsonObject, type JsonObject, parseJson } from "../json.ts";
import { type DemoTools, findTools } from "./demo-tools.ts";

/** A tool call that was made, and what came of it. */
export interface Exchange {
  readonly tool: string;
  /** The command line, the patch, or the arguments as they were sent. */
  readonly subject: string;
  readonly output: string;
  /** The exit code of a command that ran to its end. Null: it was refused, did not start, or is not a command. */
  readonly exitCode: number | null;
}

/** All that the demo knows when it answers a request; it remembers nothing itself. */
export interface Scene {
  /** The user's latest task. */
  readonly task: string;
  /** The user's earlier tasks, oldest first. */
  readonly earlierTasks: readonly string[];
  /** The calls since the latest task, with their outputs. */
  readonly exchanges: readonly Exchange[];
  readonly tools: DemoTools;
  /** The JSON Schema that the answer must fit; null: any text will do. */
  readonly schema: unknown;
}

const outputLine = /^Output:\n/m;

/** Reads a request body of whatever shape: what it cannot make sense of is left out. */
export function readScene({ input, tools, tool_choice: choice, text }: JsonObject): Scene {
  const format = isJsonObject(text) && isJsonObject(text["format"]) ? text["format"] : {};
  const items = Array.isArray(input) ? input.filter(isJsonObject) : [{ role: "user", content: input }];
  const tasks = items.flatMap((item, index) =>
    isTask(item) ? [{ index, text: dropTagged(textOf(item["content"])) }] : [],
  );
  const task = tasks.pop();
  return {
    task: task?.text ?? "",
    earlierTasks: tasks.map(({ text }) => text),
    exchanges: readExchanges(items.slice((task?.index ?? -1) + 1)),
    tools: findTools(tools, choice),
    schema: format["schema"] ?? null,
  };
}

/** The text after the `Output:` line of a command's output; all of it if there is no such line. */
export function commandOutput(output: string): string {
  const [head = "", ...rest] = output.split(outputLine);
  return rest.length > 0 ? rest.join("Output:\n") : head;
}

/** A message that a person wrote: the harness's own begin with a tag or with the heading of AGENTS.md. */
function isTask({ role, content }: JsonObject): boolean {
  const text = textOf(content).trim();
  return role === "user" && text !== "" && !/^(<[a-z_]+[ >]|# AGENTS\.md)/i.test(text);
}

/** Drops the texts that a harness added to the user's text, between its own tags. */
function dropTagged(text: string): string {
  return text.replace(/\s*<([a-z_]+)>\n[^]*\n<\/\1>\s*$/, "");
}

/** The text of a content, without the tags around images. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.filter(isJsonObject).map(({ text }) => (typeof text === "string" ? text : ""));
  return texts.filter((text) => text !== "" && !/^<\/?image\b/.test(text)).join("\n");
}

function readExchanges(items: readonly JsonObject[]): readonly Exchange[] {
  const outputs = new Map(items.filter((item) => "output" in item).map((item) => [item["call_id"], item["output"]]));
  return items
    .filter((item) => "name" in item && outputs.has(item["call_id"]))
    .map((item) => {
      const output = textOf(outputs.get(item["call_id"]));
      return { tool: String(item["name"]), subject: subjectOf(item), output, exitCode: exitCodeOf(output) };
    });
}

function exitCodeOf(output: string): number | null {
  const [head = ""] = output.split(outputLine);
  const match = /^(?:Exit code:|Process exited with code) (\d+)/m.exec(head);
  return match ? Number(match[1]) : null;
}

/** The subject of a call: its command, its patch or its arguments, whichever tool it names. */
function subjectOf({ input, arguments: text }: JsonObject): string {
  if (typeof input === "string") return input;
  const fields = parseArguments(String(text));
  const subject = fields["command"] ?? fields["cmd"] ?? fields["input"];
  return Array.isArray(subject) ? String(subject.at(-1)) : String(subject ?? text);
}

function parseArguments(text: string): JsonObject {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

const maxLines = 8;

/** The first lines of a tool's output, as a block of text. */
export function quoteOutput(output: string): string {
  const lines = commandOutput(output).trim().split("\n");
  const shown = lines.length > maxLines ? [...lines.slice(0, maxLines), "…"] : lines;
  return ["```", ...shown, "```"].join("\n");
}
