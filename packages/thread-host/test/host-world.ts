import { type HostedThread, openThreadHost, type ThreadClient, type ThreadHost } from "@unroll/thread-host";
import type { ModelHome, openModelHome } from "@unroll/program/fixture/model-home";
import { createTestIo } from "@unroll/program/fixture/test-io";
import type { TurnOutcome } from "@unroll/protocol";

export type Turn = Extract<Parameters<typeof openModelHome>[0], { readonly script: object }>["script"]["turns"][number];

export const text = (said: string): Turn => ({ items: [{ text: said }] });
export const silent: ThreadClient = { tell: async () => {}, ask: async () => null };
export const asked = { sandbox: "danger-full-access", approvalPolicy: "never" } as const;
export const origin = { type: "new", isEphemeral: false } as const;

export function open({ home, work }: ModelHome, maxIdle = 32): ThreadHost {
  const io = createTestIo({ env: { PATH: process.env["PATH"], HOME: home }, cwd: work, homeDirectory: home });
  return openThreadHost({ io, flags: {}, name: "test", signal: new AbortController().signal, maxIdle });
}

export async function begin(host: ThreadHost, client = silent): Promise<HostedThread<ThreadClient>> {
  const { thread, release } = await host.open({ origin, asked, client });
  release();
  return thread;
}

export async function say(thread: HostedThread<unknown>, input: string): Promise<TurnOutcome> {
  const turn = await thread.run(input);
  turn.release();
  return turn.ended;
}
