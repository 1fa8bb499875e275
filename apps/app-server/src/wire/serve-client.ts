import { type ClientMethod, clientRequests } from "@unroll/app-server-protocol";
import { toProgramFailure } from "@unroll/program";
import { type Client, type ClientDesk, createClient } from "./client.ts";
import { createOutbox, type Link, type Outbox } from "./link.ts";
import { maxLineBytes, readLines } from "./read-lines.ts";
import { type Message, parseMessage, parseParams } from "./parse-message.ts";
import { RequestFault } from "./request-fault.ts";

/** What a request gives, and what is to happen once the client was told. */
interface Reply {
  readonly result: unknown;
  readonly after?: () => void;
}

/** Who does what clients ask. */
export interface Service {
  run(method: ClientMethod, params: unknown, client: Client): Promise<Reply>;
  /** The client is gone: resolves when nothing runs any more that only it wanted. */
  leave(client: Client): Promise<void>;
}

/** How many requests of one client may be under way. */
const maxOpenRequests = 256;

/** Serves one client to the end of its input. Whatever it sends, nobody else notices. */
export async function serveClient(link: Link, service: Service): Promise<void> {
  const ended = new AbortController();
  const outbox = createOutbox(link);
  const desk = createClient(outbox, ended.signal);
  const running = new Set<Promise<void>>();
  const take = createReader({
    desk,
    outbox,
    service,
    follow(work) {
      running.add(work);
      void work.finally(() => running.delete(work));
    },
  });
  try {
    for await (const line of readLines(link.input)) {
      if (line.type === "line") take(parseMessage(line.text));
      else take(tooLong(line.bytes));
      await outbox.room();
    }
  } catch {
    // the connection broke: that is its end
  } finally {
    ended.abort();
    // what it asked before it ended is answered; what that opened meanwhile is left, too
    await Promise.all([service.leave(desk.client), ...running]);
    await service.leave(desk.client);
    outbox.flush();
  }
}

interface ReaderParts {
  readonly desk: ClientDesk;
  readonly outbox: Outbox;
  readonly service: Service;
  /** Told of each request that is under way; it never rejects. */
  readonly follow: (work: Promise<void>) => void;
}

function createReader({ desk, outbox, service, follow }: ReaderParts): (message: Message) => void {
  let isInitialized = false;
  let open = 0;

  function refuse(id: string | number | null, { code, message }: RequestFault): void {
    outbox.post({ id, error: { code, message } });
  }

  async function run({ id, method, params }: Extract<Message, { readonly type: "request" }>): Promise<void> {
    open += 1;
    try {
      const known = checkMethod(method, isInitialized);
      if (open > maxOpenRequests)
        throw new RequestFault("overloaded", `${maxOpenRequests} requests are under way already: send it again later.`);
      if (known === "initialize") {
        desk.optOut(parseParams(known, params).capabilities?.optOutNotificationMethods ?? []);
        isInitialized = true;
      }
      const { result, after } = await service.run(known, params, desk.client);
      outbox.post({ id, result });
      after?.();
    } catch (error) {
      refuse(id, error instanceof RequestFault ? error : toFault(error));
    } finally {
      open -= 1;
    }
  }

  return (message) => {
    switch (message.type) {
      case "request":
        follow(run(message));
        return;
      case "notification":
        return; // `initialized`, and whatever else nobody waits for
      case "response":
        if (!desk.answer(message.id, message)) warn(desk.client, message.id);
        return;
      case "broken":
        refuse(message.id, message.fault);
    }
  };
}

/** Throws `RequestFault`. */
function checkMethod(method: string, isInitialized: boolean): ClientMethod {
  if (!isClientMethod(method)) throw new RequestFault("unknownMethod", `There is no method ${JSON.stringify(method)}.`);
  if (method === "initialize" && isInitialized)
    throw new RequestFault("invalidRequest", "initialize: it was sent already, and counts once.");
  if (method !== "initialize" && !isInitialized)
    throw new RequestFault("notInitialized", `${method}: Not initialized: initialize comes first.`);
  return method;
}

function isClientMethod(method: string): method is ClientMethod {
  return Object.hasOwn(clientRequests, method);
}

function warn(client: Client, id: string | number): void {
  const message = `The answer to question ${JSON.stringify(id)} was passed over: it was answered or withdrawn before, or never asked.`;
  client.notify({ method: "warning", params: { threadId: null, message } });
}

function tooLong(bytes: number): Message {
  const fault = new RequestFault(
    "invalidRequest",
    `A line of ${bytes} bytes was passed over: ${maxLineBytes} are taken.`,
  );
  return { type: "broken", id: null, fault };
}

function toFault(thrown: unknown): RequestFault {
  const { error, stack } = toProgramFailure(thrown);
  return new RequestFault(stack === null ? "invalidRequest" : "internal", error.message);
}
