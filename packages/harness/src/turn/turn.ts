import { drain } from "@unroll/flow";
import { noTokenUsage, type ThreadEvent, type TokenUsage, type TurnOutcome } from "@unroll/protocol";

/**
 * A turn of a thread. It starts when it is first read or awaited, and it can be read once: its
 * events by `for await`, or its `text`. Await it for the result, whether or not you read it. As a
 * generator, it returns a `TurnOutcome`. Leaving it early interrupts it.
 */
export interface ThreadTurn<Value = null>
  extends AsyncGenerator<ThreadEvent, TurnOutcome>, PromiseLike<TurnResult<Value>> {
  /**
   * The model's text as it arrives. An empty line separates its messages. If a request is retried,
   * text that has already arrived is not repeated; if the new response differs, it starts on a new
   * line.
   */
  readonly text: AsyncIterable<string>;
}

/** The result of a completed turn. */
export interface TurnResult<Value = null> {
  /** The model's last message; null: it wrote none. */
  readonly finalMessage: string | null;
  /** The usage of the whole turn. */
  readonly usage: TokenUsage;
  /** The final message parsed by `output`; null without `output`. */
  readonly value: Value;
}

const interrupted: TurnOutcome = { type: "interrupted", usage: noTokenUsage };

/** `settle` converts the outcome into a result; it throws if the turn was not completed. */
export function createTurn<Value>(
  events: AsyncGenerator<ThreadEvent, TurnOutcome>,
  settle: (outcome: TurnOutcome) => Promise<TurnResult<Value>>,
): ThreadTurn<Value> {
  const ended = Promise.withResolvers<TurnOutcome>();
  ended.promise.catch(() => {}); // the reader of the events gets the error
  let isRead = false;
  let result: Promise<TurnResult<Value>> | null = null;

  type Step = IteratorResult<ThreadEvent, TurnOutcome>;
  async function move(step: Promise<IteratorResult<ThreadEvent, TurnOutcome | undefined>>): Promise<Step> {
    isRead = true;
    try {
      const { done, value } = await step;
      if (done !== true) return { done: false, value };
      const outcome = value ?? interrupted; // a reader who left early returned nothing
      ended.resolve(outcome);
      return { done, value: outcome };
    } catch (error) {
      ended.reject(error);
      throw error;
    }
  }

  async function readResult(): Promise<TurnResult<Value>> {
    if (!isRead) await drain(turn);
    return settle(await ended.promise);
  }

  const turn: ThreadTurn<Value> = {
    next: () => move(events.next()),
    return: async (value) => move(events.return(value)),
    throw: (error) => move(events.throw(error)),
    [Symbol.asyncIterator]: () => turn,
    async [Symbol.asyncDispose]() {
      await turn.return(interrupted);
    },
    get text() {
      return readTurnText(turn);
    },
    // oxlint-disable-next-line unicorn/no-thenable -- a turn is awaited for its result
    then: (onResult, onError) => (result ??= readResult()).then(onResult, onError),
  };
  return turn;
}

/** See `ThreadTurn.text`. */
async function* readTurnText(events: AsyncIterable<ThreadEvent>): AsyncGenerator<string, void> {
  let message = createMessageText("");
  for await (const event of events) {
    const text = message.take(event);
    if (text !== "") yield text;
    const isEnd = event.type === "item.completed" && event.item.type === "agent_message";
    if (isEnd) message = createMessageText(message.isSaid ? "\n\n" : "");
  }
}

interface MessageText {
  /** The text to yield now; usually empty. */
  take(event: ThreadEvent): string;
  readonly isSaid: boolean;
}

/** `opening`: goes before its first text. */
function createMessageText(opening: string): MessageText {
  let said = "";
  /** The text of this message in the current attempt; a retry restarts it. */
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
