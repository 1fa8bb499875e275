import { toProgramFailure } from "@unroll/program";
import { maxLineBytes, readClientLines } from "../read-client-lines.ts";
import { type Message, parseMessage } from "../message/parse-message.ts";
import { RequestFault } from "../message/request-fault.ts";
import { type ClientDesk, createClientDesk } from "./create-client-desk.ts";
import type { LineNotice, LineQuestions, LineService } from "./line-service.ts";
import { createOutbox, type ClientConnection, type Outbox } from "./client-connection.ts";

/** How many requests of one client may be open. */
const maxOpenRequests = 256;

/** Serves one client to the end of its input. Nothing that it sends disturbs another client. */
export async function serveClient<Questions extends LineQuestions, Notice extends LineNotice>(
  link: ClientConnection,
  service: LineService<Questions, Notice>,
): Promise<void> {
  const ended = new AbortController();
  const outbox = createOutbox(link);
  const desk = createClientDesk(service, outbox, ended.signal);
  const running = new Set<Promise<void>>();
  const take = createReader({
    desk,
    outbox,
    service,
    follow(work) {
      running.add(work);
      const forget = (): void => void running.delete(work);
      work.then(forget, forget);
    },
  });
  try {
    for await (const line of readClientLines(link.input)) {
      if (line.type === "line") take(parseMessage(line.text));
      else take(tooLong(line.bytes));
      await outbox.room();
    }
  } catch {
    // the connection broke: that is its end
  } finally {
    ended.abort();
    // its open requests are answered; then it leaves the threads that they opened
    await Promise.all([service.leave(desk.client), ...running]);
    await service.leave(desk.client);
    outbox.flush();
  }
}

interface ReaderParts<Questions extends LineQuestions, Notice extends LineNotice> {
  readonly desk: ClientDesk<Questions, Notice>;
  readonly outbox: Outbox;
  readonly service: LineService<Questions, Notice>;
  /** Takes each open request; it never rejects. */
  readonly follow: (work: Promise<void>) => void;
}

function createReader<Questions extends LineQuestions, Notice extends LineNotice>({
  desk,
  outbox,
  service,
  follow,
}: ReaderParts<Questions, Notice>): (message: Message) => void {
  let isInitialized = false;
  let open = 0;

  function refuse(id: string | number | null, { code, message }: RequestFault): void {
    outbox.post({ id, error: { code, message } });
  }

  async function run({ id, method, params }: Extract<Message, { readonly type: "request" }>): Promise<void> {
    open += 1;
    try {
      checkMethod(method, service.hasMethod(method), isInitialized);
      if (open > maxOpenRequests)
        throw new RequestFault("overloaded", `${maxOpenRequests} requests are open already: send it again later.`);
      if (method === "initialize") {
        desk.optOut(service.readUnwanted(params));
        isInitialized = true;
      }
      const { result, after } = await service.run(method, params, desk.client);
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
        return; // such as `initialized`: nobody waits for it
      case "response":
        if (!desk.answer(message.id, message)) desk.client.notify(service.toStray(message.id));
        return;
      case "broken":
        refuse(message.id, message.fault);
    }
  };
}

/** Throws `RequestFault`. */
function checkMethod(method: string, isKnown: boolean, isInitialized: boolean): void {
  if (!isKnown) throw new RequestFault("unknownMethod", `There is no method ${JSON.stringify(method)}.`);
  if (method === "initialize" && isInitialized) throw new RequestFault("invalidRequest", "initialize: send it once.");
  if (method !== "initialize" && !isInitialized)
    throw new RequestFault("notInitialized", `${method}: Not initialized: send initialize first.`);
}

function tooLong(bytes: number): Message {
  const fault = new RequestFault("invalidRequest", `Skipped a line of ${bytes} bytes: the limit is ${maxLineBytes}.`);
  return { type: "broken", id: null, fault };
}

function toFault(thrown: unknown): RequestFault {
  const { error, stack } = toProgramFailure(thrown);
  return new RequestFault(stack === null ? "invalidRequest" : "internal", error.message);
}
