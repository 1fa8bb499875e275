import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject, ScriptedModel } from "../src/index.ts";
import { body, postForResponse, user } from "./post.ts";

export interface Call {
  readonly type: "function_call" | "custom_tool_call";
  readonly name: string;
  readonly call_id: string;
  /** The arguments of a function call. */
  readonly arguments?: string;
  /** The input of a freeform call. */
  readonly input?: string;
}

/** The smallest harness that can serve the demo model: it runs every call in a folder, and appends. */
export class DemoThread {
  readonly calls: Call[] = [];
  readonly #input: JsonObject[] = [user("<environment_context>\n  <cwd>/x</cwd>\n</environment_context>")];
  readonly #head = { prompt_cache_key: randomUUID() };
  readonly #model: ScriptedModel;
  readonly #tools: readonly JsonObject[];
  readonly #run: (call: Call) => string;

  constructor(model: ScriptedModel, tools: readonly JsonObject[], run: (call: Call) => string) {
    this.#model = model;
    this.#tools = tools;
    this.#run = run;
  }

  /** Runs one turn; gives back the text of the last answer. */
  async ask(text: string): Promise<string> {
    this.#input.push(user(text));
    for (;;) {
      const { output } = await postForResponse(this.#model, body(this.#input, { ...this.#head, tools: this.#tools }));
      const items = output as readonly (JsonObject & { type: string })[];
      const calls = items.filter(({ type }) => type.endsWith("_call")) as unknown as readonly Call[];
      this.#input.push(...items, ...calls.map((call) => this.#answer(call)));
      this.calls.push(...calls);
      if (calls.length === 0) return items.map(textOf).join("");
    }
  }

  #answer(call: Call): JsonObject {
    return { type: `${call.type}_output`, call_id: call.call_id, output: this.#run(call) };
  }
}

function textOf({ content }: JsonObject): string {
  return ((content ?? []) as readonly { text: string }[]).map(({ text }) => text).join("");
}

/** Runs calls for real, in a folder. */
export function toolsIn(folder: string): (call: Call) => string {
  return (call) => {
    const { command, cmd, input } = JSON.parse(call.arguments ?? "{}") as Record<string, string | readonly string[]>;
    if (call.name === "update_plan") return "Plan updated";
    if (call.name === "apply_patch") return applyPatch(folder, call.input ?? String(input));
    return runCommand(folder, typeof command === "object" ? command : ["sh", "-c", command ?? String(cmd)]);
  };
}

function runCommand(cwd: string, [program = "", ...args]: readonly string[]): string {
  const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env: { PATH: path }, encoding: "utf8" });
  return `Exit code: ${status}\nWall time: 0.1 seconds\nOutput:\n${stdout}${stderr}`;
}

/** One update of one file: enough for the demo's patch. */
function applyPatch(folder: string, patch: string): string {
  const file = /^\*\*\* Update File: (.+)$/m.exec(patch)?.[1] ?? "";
  const lines = patch.split("\n").filter((line) => /^[ +-]/.test(line));
  const side = (sign: string) =>
    lines
      .filter((line) => line[0] !== sign)
      .map((line) => line.slice(1))
      .join("\n");
  const text = readFileSync(join(folder, file), "utf8");
  if (!text.includes(side("+"))) return `No place for the patch in ${file}`;
  writeFileSync(join(folder, file), text.replace(side("+"), side("-")));
  return `Success. Updated the following files:\nM ${file}\n`;
}
