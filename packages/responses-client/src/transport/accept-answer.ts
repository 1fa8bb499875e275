import type { Clock } from "@unroll/flow";
import { createHttpFailure, createWrongTypeFailure } from "../failure/http-failure.ts";
import { RequestFailure } from "../failure/request-failure.ts";
import type { Call } from "./call.ts";
import type { Answer } from "./exchange.ts";

// An error says what it is in its first lines. If they do not come in this time, the status has to do.
const [mostErrorBytes, errorMs] = [65_536, 5000];

interface AcceptedCall extends Pick<Call, "accept"> {
  /** As of `CredentialProvider`; null: it has none. */
  readonly remedy: string | null;
}

/** An answer of status 2xx and of the type asked for; throws a `RequestFailure` for any other. */
export async function acceptAnswer(
  answer: Answer,
  { accept: expected, remedy }: AcceptedCall,
  clock: Pick<Clock, "now">,
): Promise<Answer> {
  const { host, status, headers } = answer;
  const isGood = status >= 200 && status < 300;
  if (isGood && (headers["content-type"] ?? expected).toLowerCase().startsWith(expected)) return answer;
  const refused = { host, status, headers, body: await readErrorBody(answer) };
  if (!isGood) throw createHttpFailure(refused, { nowMs: clock.now(), remedy });
  throw createWrongTypeFailure(refused, expected === "application/json" ? "JSON" : "an event stream");
}

async function readErrorBody(answer: Answer): Promise<string> {
  try {
    return await readBody(answer, { maxBytes: mostErrorBytes, patienceMs: errorMs });
  } catch (error) {
    if (error instanceof RequestFailure) return "";
    throw error;
  } finally {
    answer.destroy();
  }
}

interface BodyBounds {
  /** The body is read up to about here. */
  readonly maxBytes: number;
  /** How long the whole body may take, in ms. */
  readonly patienceMs: number;
}

/**
 * Returns the result of `read` for a body that is not streamed. Throws the errors of `send` and
 * `read`, and a `RequestFailure` if the body is cut or late. It yields nothing: it is a generator
 * so that it can be settled and retried like a stream.
 */
// oxlint-disable-next-line require-yield -- see above
export async function* readWhole<Result>(
  send: () => Promise<Answer>,
  bounds: BodyBounds,
  read: (body: string, answer: Answer) => Result,
): AsyncGenerator<never, Result> {
  const answer = await send();
  try {
    return read(await readBody(answer, bounds), answer);
  } finally {
    answer.destroy();
  }
}

/** The body of an answer as text, its beginning where it is longer than `maxBytes`. Throws as `Answer.read` does. */
async function readBody(answer: Answer, { maxBytes, patienceMs }: BodyBounds): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size < maxBytes) {
    const chunk = await answer.read(patienceMs);
    if (chunk === null) break;
    chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks).toString("utf8");
}
