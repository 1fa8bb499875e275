import { once } from "node:events";
import { createServer } from "node:http";

/**
 * A server of the Messages API on loopback, for the one SDK that speaks no other: it calls a tool once, and answers with `text` when the
 * tool's output is there. A request that offers no such tool is one of the program's own, and gets the text. `outputs` are the outputs
 * that the model was given.
 */
export async function startMessagesServer({ tool, input, text }) {
  const outputs = [];
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request, response) => {
    const body = await readJson(request);
    if (request.method !== "POST" || !request.url?.startsWith("/v1/messages"))
      return void response.writeHead(404).end("{}");
    const output = body.messages.flatMap(({ content }) => content).find(({ type }) => type === "tool_result");
    if (output !== undefined) outputs.push(output);
    const isCall = output === undefined && body.tools?.some(({ name }) => name === tool);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of isCall ? toEvents(toCall(tool, input), "tool_use") : toEvents(toText(text), "end_turn"))
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    outputs,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function toCall(name, input) {
  const delta = { type: "input_json_delta", partial_json: JSON.stringify(input) };
  return { block: { type: "tool_use", id: "toolu_1", name, input: {} }, delta };
}

function toText(text) {
  return { block: { type: "text", text: "" }, delta: { type: "text_delta", text } };
}

/** The events of an answer with one block: https://docs.anthropic.com/en/api/messages-streaming */
function toEvents({ block, delta }, stopReason) {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "claude", content: [], stop_reason: null };
  return [
    { type: "message_start", message: { ...message, stop_sequence: null, usage } },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
}

async function readJson(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString());
}
