import type { ThreadEvent } from "@unroll/protocol";

/** As of `ThreadTurn.text`. */
export async function* readTurnText(events: AsyncIterable<ThreadEvent>): AsyncGenerator<string, void> {
  let message = createMessageText("");
  for await (const event of events) {
    const text = message.take(event);
    if (text !== "") yield text;
    if (isEndOfMessage(event)) message = createMessageText(message.isSaid ? "\n\n" : "");
  }
}

function isEndOfMessage(event: ThreadEvent): boolean {
  return event.type === "item.completed" && event.item.type === "agent_message";
}

interface MessageText {
  /** What is to be said now; mostly nothing. */
  take(event: ThreadEvent): string;
  readonly isSaid: boolean;
}

/** `opening`: goes before its first text. */
function createMessageText(opening: string): MessageText {
  let said = "";
  /** Of this message as it is told now: after a retry it begins anew. */
  let told = "";
  let isSaid = opening !== "";

  function tell(text: string): string {
    told = text;
    if (said.startsWith(told)) return "";
    const rest = told.startsWith(said) ? told.slice(said.length) : `\n${told}`;
    const first = said === "" ? opening : "";
    said = told;
    isSaid = true;
    return first + rest;
  }

  return {
    take(event) {
      if (event.type === "stream.retrying") told = "";
      if (event.type === "item.delta" && event.kind === "agent_message") return tell(told + event.delta);
      return event.type === "item.completed" && event.item.type === "agent_message" ? tell(event.item.text) : "";
    },
    get isSaid() {
      return isSaid;
    },
  };
}
