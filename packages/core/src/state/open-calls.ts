import {
  isToolOutput,
  type JournalEntry,
  type ResponseItem,
  type ThreadNotes,
  type ToolCallItem,
  toToolOutput,
  type ToolOutputItem,
} from "@unroll/protocol";
import type { Transcript } from "../transcript/transcript.ts";

/** The calls without an output, as `ThreadState` has them. */
interface OpenCalls {
  /** Sees every entry of the journal. */
  read(entry: JournalEntry): void;
  readonly waiting: readonly ToolCallItem[];
  answer(items: readonly ResponseItem[]): void;
  hold(items: readonly ResponseItem[]): void;
}

/** The output of a call whose turn ended before it had a result. */
const interruptedOutput = "The turn was interrupted before this call had a result. It may have run in part.";

/** The output of a call that was not approved before its process ended, and is not asked about again. */
const unansweredOutput = "The program ended before the user had answered whether this call may run. It was not run.";

interface OpenCallsParts {
  readonly transcript: Pick<Transcript, "openCalls" | "append">;
  readonly notes: ThreadNotes;
  /** As of `ThreadStateOptions`. */
  readonly cutOutputs: ReadonlyMap<string, string>;
}

export function createOpenCalls({ transcript, notes, cutOutputs }: OpenCallsParts): OpenCalls {
  /** Ids of calls that were asked about and have not begun. */
  const asked = new Set<string>();
  return {
    read(entry) {
      if (entry.type === "call.asked") asked.add(entry.callId);
      if (entry.type === "call.started") asked.delete(entry.callId);
    },
    get waiting() {
      const held = notes.get("held");
      return transcript.openCalls.filter(({ call_id: id }) => asked.has(id) && findOutput(held, id) === null);
    },
    answer(items) {
      const held = notes.get("held");
      const given = [...held, ...items];
      const outputs = transcript.openCalls.map((call) => {
        const { call_id: id } = call;
        const fallback = asked.has(id) ? unansweredOutput : (cutOutputs.get(id) ?? interruptedOutput);
        return findOutput(given, id) ?? toToolOutput(call, fallback);
      });
      transcript.append(...outputs, ...items.filter((item) => !isToolOutput(item)));
      if (held.length > 0) notes.set("held", []);
    },
    hold: (items) => notes.set("held", [...notes.get("held"), ...items.filter(isToolOutput)]),
  };
}

function findOutput(items: readonly ResponseItem[], callId: string): ToolOutputItem | null {
  return items.filter(isToolOutput).find((item) => item.call_id === callId) ?? null;
}
