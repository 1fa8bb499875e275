import type { IncomingHttpHeaders } from "node:http";
import { type LedgerEntry, ThreadLedger } from "../check/thread-ledger.ts";
import type { JsonObject } from "../json.ts";
import type { BodyPlace } from "../request/captured-request.ts";
import { readFields, sliceBody } from "../request/slice-body.ts";
import { findThreadId } from "./cache-router.ts";
import type { Endpoint } from "./endpoint.ts";

/** What a request turned out to be. */
export type RequestReading = ReadableRequest | UnreadableRequest;

/** A request whose body is JSON. */
export interface ReadableRequest {
  readonly type: "readable";
  readonly place: BodyPlace;
  readonly ledger: ThreadLedger;
  readonly entry: LedgerEntry;
  /** All of the body but `input`. */
  readonly fields: JsonObject;
}

interface UnreadableRequest {
  readonly type: "unreadable";
  readonly place: BodyPlace;
  readonly message: string;
}

/** Finds the request's thread, or begins it, and enters the request there. */
export function readRequest(
  endpoint: Endpoint,
  threads: Map<string, ThreadLedger>,
  { headers, bytes }: { readonly headers: IncomingHttpHeaders; readonly bytes: Buffer },
): RequestReading {
  try {
    const key = threadKeyOf(headers, bytes);
    const ledger = threads.get(key) ?? new ThreadLedger();
    threads.set(key, ledger);
    const entry = endpoint.record(ledger, bytes);
    return { type: "readable", place: entry.place, ledger, entry, fields: readFields(entry.sliced) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const place = { shared: { bytes }, length: bytes.length, tail: Buffer.alloc(0) };
    return { type: "unreadable", place, message: `the body is not JSON: ${error.message}` };
  }
}

/** The thread that the headers name, else `prompt_cache_key`: for the latter the whole body has to be read once more. */
function threadKeyOf(headers: IncomingHttpHeaders, bytes: Buffer): string {
  return findThreadId(headers) ?? String(readFields(sliceBody(bytes, null))["prompt_cache_key"]);
}
