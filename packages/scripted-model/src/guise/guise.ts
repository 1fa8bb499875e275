import type { IncomingHttpHeaders } from "node:http";
import type { PlannedResponse } from "../answer/response-events.ts";
import type { Checks } from "../check/checks.ts";
import type { JsonObject } from "../json.ts";
import type { HttpTurn } from "../script/turn.ts";

/** How another server differs from OpenAI's. */
export interface Guise {
  /** Which laws its requests are held to; a script's own win. Absent: all of them. */
  readonly checks?: Checks;
  /** Sent with every answer. Absent: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Its own answer, for its own paths and for requests that it refuses. Null: the script answers. */
  answer(request: GuiseRequest): HttpTurn | null;
  /** Lists the parts of a request that it does not know, and would ignore at best. Absent: none. */
  findUnsupported?(fields: JsonObject): readonly string[];
  /** An answer as this server writes it: an object is one SSE message, text goes out as it stands. Absent: as OpenAI's does. */
  stream?(response: PlannedResponse): Iterable<JsonObject | string>;
  /** Refuses a request for a response by what is in it, as the real server does; null: it takes the request. Absent: it takes all. */
  refuse?(request: ReadRequest): RefusedRequest | null;
}

/** A request for a response as the server reads it. */
export interface ReadRequest {
  /** All of the body but `input`. */
  readonly fields: JsonObject;
  readonly input: readonly unknown[];
}

/** An answer that takes no turn of the script. */
export interface RefusedRequest {
  readonly answer: HttpTurn;
  /** The model reads the refused part: the thread's next request may break the prefix law. */
  readonly endsEpoch: boolean;
}

export interface GuiseRequest {
  readonly method: string;
  /** The path, with its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}
