import type { ThreadEvent, ThreadItem } from "@unroll/protocol";
import type { DocumentStep } from "@unroll/report";
import { readSaid } from "../text/read-said.ts";
import { toPriceOf } from "../text/to-price-of.ts";
import type { Talk } from "./talk.ts";
import { tell } from "./tell.ts";

/** More is not looked back at; the pager and `unroll threads show` have all of it. */
const shownSteps = 1000;

/** Shows what was said in the thread before, as it was shown then. */
export async function showPast(talk: Talk): Promise<void> {
  const { createThreadDocument } = await import("@unroll/report");
  const entries = await talk.conversation.entries();
  if (entries.length === 0) return;
  const { steps } = createThreadDocument(entries, toPriceOf(talk.conversation.config));
  const hidden = steps.length - shownSteps;
  if (hidden > 0) tell(talk, `(${hidden} earlier steps: ^T shows all)`, "muted");
  for (const step of steps.slice(-shownSteps)) showStep(talk, step);
  tell(talk, `Going on with thread ${talk.conversation.thread.id}.`, "muted");
}

function showStep(talk: Talk, step: DocumentStep): void {
  const { transcript } = talk.desk.surface;
  const said = step.type === "message" && step.role === "user" ? readSaid(step.text) : null;
  if (step.type === "message" && said !== null)
    return transcript?.add({ type: "person", text: said, images: step.images.length });
  const item = toItem(step, `past_${talk.shownItems++}`);
  if (item !== null) transcript?.apply({ type: "item.completed", item } satisfies ThreadEvent);
}

/** Null: nothing is shown of it. */
function toItem(step: DocumentStep, id: string): ThreadItem | null {
  switch (step.type) {
    case "message":
      return step.role === "assistant" ? { id, type: "agent_message", text: step.text } : null;
    case "reasoning":
      return { id, type: "reasoning", text: step.text };
    case "call":
      if (step.form !== "command")
        return {
          id,
          type: "tool_call",
          tool: step.tool,
          arguments: step.text,
          output: step.output,
          status: "completed",
        };
      return {
        id,
        type: "command_execution",
        command: step.text,
        aggregated_output: step.output ?? "",
        exit_code: null,
        status: "completed",
      };
    case "search":
      return { id, type: "web_search", query: step.query };
    case "ended":
      return { id, type: "error", message: step.how };
    case "turn":
    case "other":
    case "request":
    case "epoch":
    case "undone":
      return null;
  }
}
