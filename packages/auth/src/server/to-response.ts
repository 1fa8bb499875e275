import type { HttpAnswer } from "./send-http.ts";

/** For libraries that expect what `fetch` gives. */
export function toResponse(answer: HttpAnswer): Response {
  const status = answer.statusCode ?? 0;
  const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  if ([204, 205, 304].includes(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  return new Response(ReadableStream.from<Uint8Array>(answer), { status, headers });
}
