import type { IncomingHttpHeaders } from "node:http";
import { encodeChunk, type Answer } from "../answer/plan-answer.ts";
import type { Violation } from "../check/checks.ts";
import type { CapturedRequest } from "../request/captured-request.ts";
import { planServing, type ScriptedModelOptions } from "./model-options.ts";
import { ModelService } from "./model-service.ts";

/**
 * An answer in bytes. `ending`, `delayMs` and `chunkDelayMs` come from the turn; the caller applies them when it sends
 * the bytes.
 */
export interface ResponseBytes extends Pick<Answer, "status" | "headers" | "ending" | "delayMs" | "chunkDelayMs"> {
  readonly chunks: readonly Uint8Array[];
}

/** A scripted model without a server: for callers that bring bytes to it without a socket. */
export interface ModelInMemory {
  readonly requests: readonly CapturedRequest[];
  readonly violations: readonly Violation[];
  /** Answers a `POST /responses` with this body. Never rejects for what the client did. */
  answer(headers: IncomingHttpHeaders, body: Uint8Array): Promise<ResponseBytes>;
}

/** A model that answers as `startScriptedModel` does, and listens nowhere: violations are only listed. */
export function createModelInMemory(options: ScriptedModelOptions): ModelInMemory {
  const service = new ModelService(planServing(options));
  return {
    requests: service.responses.requests,
    violations: service.violations,
    async answer(headers, body) {
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
      const {
        status,
        headers: told,
        chunks,
        ...way
      } = await service.respond({ headers, bytes, previousResponseId: null });
      const { ending, delayMs, chunkDelayMs } = way;
      return {
        status,
        headers: told,
        ending,
        delayMs,
        chunkDelayMs,
        chunks: chunks.map((each) => Buffer.from(encodeChunk(each))),
      };
    },
  };
}
