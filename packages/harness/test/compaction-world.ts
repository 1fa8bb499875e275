import { join } from "node:path";
import { forEach } from "@unroll/flow";
import type { Thread } from "@unroll/harness";
import type { SandboxSettings, ThreadEvent, ThreadStore, TurnOutcome } from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";
import { sandboxSettings } from "@unroll/sandbox/fixture/sandbox-settings";
import type { CapturedRequest, ScriptedModelOptions, Turn } from "@unroll/scripted-model";
import { defineTool, type Tool } from "@unroll/tools";
import * as z from "zod";
import { openThreadWorld, type ThreadWorld, type WorldOptions } from "./thread-world.ts";

export const never: AbortSignal = new AbortController().signal;
export const notes = "Task: count. Done: counted to the end. Next: nothing is left to do.";

export function say(text: string): Turn {
  return { items: [{ text }] };
}

/** A tool whose output has so many bytes. */
export const printer: Tool = defineTool({
  name: "print",
  description: "Prints.",
  input: z.strictObject({ bytes: z.number() }),
  approval: "run",
  run: async ({ bytes }) => "x".repeat(bytes),
});

export function print(bytes: number): Turn {
  return { items: [{ call: "print", arguments: { bytes } }] };
}

export const readOnly: SandboxSettings = { ...sandboxSettings, mode: "read-only" };

/** Whether the request asks for a summary. */
export function asksForNotes(request: CapturedRequest): boolean {
  return JSON.stringify(request.input.at(-1)).includes("about to be shortened");
}

/** Answers the turns in order, and requests for a summary beside them. */
export function playWith(
  turns: readonly Turn[],
  summaries: readonly Turn[],
): (request: CapturedRequest) => Turn | null {
  const [nextTurn, nextSummary] = [turns.values(), summaries.values()];
  return (request) => (asksForNotes(request) ? nextSummary : nextTurn).next().value ?? null;
}

export async function compact(
  thread: Thread,
  focus?: string,
): Promise<{
  readonly events: readonly ThreadEvent[];
  readonly outcome: TurnOutcome;
}> {
  const events: ThreadEvent[] = [];
  const compacting = thread.compact({ signal: never, ...(focus !== undefined && { focus }) });
  const outcome = await forEach(compacting, (event) => void events.push(event));
  return { events, outcome };
}

/** As `openThreadWorld`, with the tool in each thread. */
export async function openPrintingWorld(options: ScriptedModelOptions, place: WorldOptions = {}): Promise<ThreadWorld> {
  const world = await openThreadWorld(options, place);
  return { ...world, openThread: (settings) => world.openThread({ ...settings, tools: [printer] }) };
}

export function openStore(world: ThreadWorld): ThreadStore {
  const codexHome = join(world.home, ".codex");
  return openThreadStore({ codexHome, clock: { now: Date.now }, pid: process.pid });
}

/** A request as the model sees it: the bytes of each item. */
export function toPrompt(request: CapturedRequest | undefined): readonly string[] {
  if (request === undefined) return [];
  const { body, input } = request;
  return [
    JSON.stringify([body["model"], body["instructions"], body["tools"]]),
    ...input.map((item) => JSON.stringify(item)),
  ];
}

export function extendsPrompt(prompt: readonly string[], before: readonly string[]): boolean {
  return before.every((item, index) => prompt[index] === item);
}

export function listMissing(prompt: readonly string[], texts: readonly string[]): readonly string[] {
  return texts.filter((text) => !prompt.some((item) => item.includes(text)));
}

/** A server's answer to a prompt that is too long. */
export const overflow: Turn = {
  status: 400,
  body: { error: { code: "context_length_exceeded", message: "Your input exceeds the context window." } },
};
