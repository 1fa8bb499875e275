import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Answer, json, startFaultServer, stream } from "./support/fault-server.ts";
import { collect, never, openClient, request } from "./support/open-client.ts";

/** A server's error, `recorded` from a real one or as it is `documented`, and the failure that we expect. */
interface Case {
  readonly server: string;
  readonly status: number;
  readonly body: unknown;
  readonly expected: { readonly code: string; readonly refusal: object | null };
}

const file = join(import.meta.dirname, "../../../conformance/server-words/cases.json");
const cases = JSON.parse(readFileSync(file, "utf8")) as readonly Case[];

function toAnswer({ status, body }: Case): Answer {
  if (typeof body === "string")
    return (response) => response.writeHead(status, { "content-type": "text/html" }).end(body);
  return status === 200 ? stream(body as { type: string }) : json(status, body);
}

test.each(cases)("$server, $status: $body is understood as $expected.code", async (each) => {
  await using server = await startFaultServer([toAnswer(each)]);
  using client = openClient(server.origin, { provider: { requestMaxRetries: 0, streamMaxRetries: 0 } });
  const { outcome } = await collect(client.stream(request, never));
  const { error } = outcome as { readonly error: { readonly code: string; readonly refusal?: object } };
  expect({ code: error.code, refusal: error.refusal ?? null }).toEqual(each.expected);
});
