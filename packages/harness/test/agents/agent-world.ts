import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { ThreadEvent, ToolCallThreadItem } from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";
import type { CapturedRequest, ScriptedModelOptions, Turn } from "@unroll/scripted-model";
import { openThreadWorld, type ThreadWorld, type WorldOptions } from "../thread-world.ts";

export const config = ["agents.enabled=true"];

/** Answers each request by the text that its thread began with. */
export type Play = Readonly<Record<string, (request: CapturedRequest, step: number) => Turn | Promise<Turn>>>;

export function openWorld(
  play: Play,
  options: WorldOptions = {},
  checks: NonNullable<ScriptedModelOptions["checks"]> = {},
): Promise<ThreadWorld> {
  const steps = new Map<string, number>();
  return openThreadWorld(
    {
      checks,
      respond(request) {
        const texts = request.input.map((item) => JSON.stringify(item));
        const task = Object.keys(play).find((name) =>
          texts.some((text) => text.includes(`"text":"${name}"`) || text.includes(`"text":"${name}: `)),
        );
        if (task === undefined) return null;
        const key = `${String(request.headers["thread-id"])}`;
        const step = steps.get(key) ?? 0;
        steps.set(key, step + 1);
        return play[task]?.(request, step) ?? null;
      },
    },
    options,
  );
}

export const say = (text: string): Turn => ({ items: [{ text }] });

export function start(...calls: readonly Readonly<Record<string, unknown>>[]): Turn {
  return {
    items: calls.map((given) => ({ call: "spawn_agent", arguments: { task_name: given["message"], ...given } })),
  };
}

export function outputsOf(request: CapturedRequest | undefined): readonly string[] {
  return (request?.input ?? []).flatMap((item) =>
    String(item["type"]).endsWith("call_output") ? [hideIds(String(item["output"]))] : [],
  );
}

export function hideIds(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID").replaceAll(/\d+ tokens/g, "N tokens");
}

export function callsIn(events: readonly ThreadEvent[]): readonly ToolCallThreadItem[] {
  return events.flatMap((event) =>
    event.type === "item.completed" && event.item.type === "tool_call" ? [event.item] : [],
  );
}

export function toolsOf(request: CapturedRequest | undefined): readonly string[] {
  const tools = request?.body["tools"];
  return Array.isArray(tools) ? tools.map((tool: { readonly name?: string }) => tool.name ?? "") : [];
}

export const openStore = ({ home }: ThreadWorld): ReturnType<typeof openThreadStore> =>
  openThreadStore({ codexHome: join(home, ".codex"), clock: { now: Date.now }, pid: process.pid });

export const agentTools = ["spawn_agent", "wait_agent", "send_message", "interrupt_agent"];

/** Runs the turn "Go" in another process, and kills that when the promise resolves. */
export async function runUntilKilled(
  { home, work, model }: ThreadWorld,
  hung: Promise<void>,
  overrides: readonly string[] = config,
): Promise<void> {
  const args = ["--conditions=@unroll/source", join(import.meta.dirname, "../fixture/run-thread.ts")];
  const child = spawn(process.execPath, [...args, home, work, model.url, ...overrides], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await hung;
  child.kill("SIGKILL");
  await once(child, "close");
}
