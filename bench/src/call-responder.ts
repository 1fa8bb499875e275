import type { Responder, TurnItem } from "@unroll/scripted-model";

/** The command that a model of a bench asks for, again and again. */
export interface RepeatedCommand {
  readonly script: string;
  /** Whether its shell reads the profile. */
  readonly login: boolean;
}

interface Progress {
  readonly wanted: number;
  /** The N-th: each is another one, for a model that makes the same call again and again is stopped. */
  readonly toCall: (n: number) => TurnItem;
  had: number;
}

/**
 * Asks for one more command, by the tool that the program has, until there were as many as the message wants. A thread's
 * body is read once: reading all of them would cost the server more with each call, and we measure clients.
 */
export function createCallResponder(command: RepeatedCommand): Responder {
  const threads = new Map<string, Progress>();
  return (request) => {
    const thread = String(request.headers["session-id"] ?? request.headers["session_id"] ?? request.index);
    const progress = threads.get(thread) ?? readProgress(request.body, command);
    threads.set(thread, progress);
    return { items: [progress.had < progress.wanted ? progress.toCall(progress.had++) : { text: "Done." }] };
  };
}

function readProgress({ tools, input }: Readonly<Record<string, unknown>>, command: RepeatedCommand): Progress {
  const { script, login } = command;
  const items = toList<{ type?: string; content?: { text?: string }[] }>(input);
  const wanted = items.flatMap((item) => /^calls: (\d+)$/.exec(item.content?.at(-1)?.text ?? "")?.[1] ?? []).at(-1);
  const had = items.filter((item) => item.type === "function_call_output").length;
  const names = new Set(toList<{ name?: string }>(tools).map((tool) => tool.name));
  const toCall = (n: number): TurnItem => {
    const said = `${script} # ${n}`;
    if (names.has("exec_command")) return { call: "exec_command", arguments: { cmd: said, login } };
    if (names.has("shell_command")) return { call: "shell_command", arguments: { command: said, login } };
    return { call: "bash", arguments: { command: said } };
  };
  return { wanted: Number(wanted), had, toCall };
}

function toList<Entry>(value: unknown): readonly Entry[] {
  return Array.isArray(value) ? (value as readonly Entry[]) : [];
}
