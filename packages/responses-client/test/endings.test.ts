import { expect, test } from "vitest";
import { completed, delta, openStream, startFaultServer, stream, whole, type Answer } from "./support/fault-server.ts";
import { collect, never, openClient, request } from "./support/open-client.ts";

function line(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

const failing = { id: "gen-1", error: { code: 502, message: "Gone." } };
const refused = { error: { code: 400, type: "bad_request", message: "No." } };
const cutShort = { id: "r", status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
const many = Array.from({ length: 3000 }, (_, output_index) => ({
  type: "response.output_item.done",
  output_index,
  item: { type: "function_call", call_id: `c${output_index}`, name: "shell", arguments: "{}" },
}));

test.each<{ ending: string; answer: Answer; code: string }>([
  {
    ending: "[DONE] without an ending, though the connection stays open",
    answer: openStream(delta("lost"), "data: [DONE]\n\n"),
    code: "stream_cut",
  },
  {
    ending: "an error in a data line, with a status in the place of its code",
    answer: openStream(delta("lost"), line(failing)),
    code: "server_error",
  },
])("after $ending the request is sent again at once", async ({ answer, code }) => {
  await using server = await startFaultServer([answer, stream(delta("kept"), completed)]);
  using client = openClient(server.origin);
  const { events, outcome } = await collect(client.stream(request, never));
  expect(events).toMatchObject([
    delta("lost"),
    { type: "stream.retrying", attempt: 1, cause: { code, retryable: true } },
    delta("kept"),
    whole("kept"),
  ]);
  expect(outcome).toEqual({ type: "completed", responseId: "resp_1", usage: null });
});

test.each<{ ending: string; answer: Answer; code: string; says: string }>([
  {
    ending: "a refusal in a data line",
    answer: stream(line(refused)),
    code: "bad_request",
    says: "could not finish its answer (bad_request): No.",
  },
  {
    ending: "a complete answer that says it is incomplete",
    answer: stream(delta("The"), { type: "response.completed", response: cutShort }),
    code: "incomplete",
    says: "stopped before its answer was complete (max_output_tokens). Ask for less, or in other words.",
  },
  {
    ending: "an answer with more items than any has",
    answer: stream(...many),
    code: "invalid_answer",
    says: "could not finish its answer (invalid_answer): it has too many items.",
  },
])("$ending fails at once with its reason", async ({ answer, code, says }) => {
  await using server = await startFaultServer([answer]);
  using client = openClient(server.origin);
  const { outcome } = await collect(client.stream(request, never));
  const message = `${new URL(server.origin).host} ${says}`;
  expect(outcome).toMatchObject({ type: "failed", error: { code, message, retryable: false } });
  expect(server.requests.length).toBe(1);
});

test("an answer without an id, counts or a status is complete, and counts without a sum are summed", async () => {
  const usage = { input_tokens: 3, output_tokens: 2 };
  await using server = await startFaultServer([
    stream({ type: "response.completed", response: {} }),
    stream({ type: "response.completed", response: { usage } }),
  ]);
  using client = openClient(server.origin);
  const first = await collect(client.stream(request, never));
  expect(first).toEqual({ events: [], outcome: { type: "completed", responseId: "", usage: null } });
  const second = await collect(client.stream(request, never));
  expect(second.outcome).toMatchObject({ type: "completed", usage: { ...usage, total_tokens: 5 } });
});
