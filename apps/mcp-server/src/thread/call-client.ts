import type { HostedThread, ThreadClient } from "@unroll/thread-host";
import type { Question, ThreadEvent } from "@unroll/protocol";
import { createTextPrinter, plainStyle } from "@unroll/view";
import { askPerson } from "../call/ask-person.ts";
import type { ToolCall } from "../call/tool-call.ts";

/** The client of a thread: the call that works in it; between calls nobody. */
export interface CallClient extends ThreadClient {
  /** Until it is disposed, this call gets the events and questions. `cancel` ends its turn. Null: another call works in the thread. */
  seat(call: ToolCall, cancel: () => void): Disposable | null;
}

const asked: readonly Question["type"][] = [
  "command.approval",
  "patch.approval",
  "host.approval",
  "tool.approval",
  "model.questions",
  "server.form",
];

export function createCallClient(hasPerson: boolean): CallClient {
  let seated: { readonly call: ToolCall; readonly cancel: () => void } | null = null;
  let print: ((event: ThreadEvent) => readonly string[]) | null = null;
  return {
    takes: hasPerson ? asked : [],
    async tell(event, thread) {
      print ??= createPrinter(thread);
      for (const text of print(event)) await seated?.call.tell(text);
    },
    async ask(question, signal) {
      return seated === null ? null : askPerson(question, { ...seated, signal });
    },
    seat(call, cancel) {
      if (seated !== null) return null;
      seated = { call, cancel };
      return { [Symbol.dispose]: () => void (seated = null) };
    },
  };
}

/** As the text of `exec` has it. */
function createPrinter({ config }: HostedThread<unknown>): (event: ThreadEvent) => readonly string[] {
  const printer = createTextPrinter({
    style: plainStyle,
    cwd: config.cwd,
    showReasoning: false,
    finalMessage: "progress",
    questions: "elsewhere",
  });
  return (event) => printer.print(event).map(({ text }) => text.trimEnd());
}
