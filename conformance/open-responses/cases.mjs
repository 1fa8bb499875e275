// The cases of the suite, by its names. Each gives back what is wrong; empty: nothing.
import { checkEvents, checkResponse } from "./check-response.mjs";

const message = (role, content, more = {}) => ({ type: "message", role, content, ...more });
const weather = {
  type: "function",
  name: "get_weather",
  description: "The weather of a place",
  parameters: { type: "object", properties: { location: { type: "string" } }, required: ["location"] },
};
const dot = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const isRefused = ({ status }) => (status === 400 || status === 422 ? [] : [`it is answered with ${status}`]);

/** A request over HTTP whose answer must be completed and contain an item of this type. */
function whole(request, holds = "message") {
  return async ({ post, model }) => {
    const { status, body } = await post("/responses", { model, ...request });
    return status === 200 ? checkResponse(body, { holds }) : [`it is answered with ${status}`];
  };
}

const check = ({ events, response }, holds = "message") => [...checkEvents(events), ...checkResponse(response, { holds })];
const create = ({ model }, more) => ({ type: "response.create", model, store: false, ...more });
const notFound = ({ code }) => (code === "previous_response_not_found" ? [] : [`the error is ${code}`]);

export const cases = {
  "basic-response": whole({ input: [message("user", "Say hello in three words.")] }),
  "assistant-phase": whole({
    input: [
      message("assistant", "I look at the number first.", { phase: "commentary" }),
      message("assistant", "It is four.", { phase: "final_answer" }),
      message("user", "Only the number, again."),
    ],
  }),
  "response-output-phase-schema": async ({ answerWith, model }) => {
    const item = (phase) => ({ type: "message", role: "assistant", phase, content: [{ type: "output_text", text: phase, annotations: [] }] });
    const body = await answerWith([item("commentary"), item("final_answer")], { model, input: [message("user", "Go")] });
    const phases = body?.output?.map(({ phase }) => phase).join();
    return [...checkResponse(body, { holds: "message" }), ...(phases === "commentary,final_answer" ? [] : [`the phases are ${phases}`])];
  },
  "streaming-response": async ({ stream, model }) => check(await stream({ model, input: [message("user", "Count from 1 to 5.")] })),
  "websocket-response": async (server) => {
    await using socket = await server.connect();
    return check(await socket.ask({ type: "response.create", model: server.model, input: [message("user", "Count from 1 to 3.")] }));
  },
  "websocket-sequential-responses": async (server) => {
    await using socket = await server.connect();
    const first = await socket.ask(create(server, { input: "Say: first" }));
    return [...check(first), ...check(await socket.ask(create(server, { input: "Say: second" })))];
  },
  "websocket-continuation": async (server) => {
    await using socket = await server.connect();
    const first = await socket.ask(create(server, { input: "Remember cobalt." }));
    return [...check(first), ...check(await socket.ask(create(server, { previous_response_id: first.response?.id, input: "Which word?" })))];
  },
  "websocket-reconnect-store-false-recovery": async (server) => {
    await using socket = await server.connect();
    const { response } = await socket.ask(create(server, { input: "Remember copper." }));
    await using other = await server.connect();
    const lost = notFound(await other.ask(create(server, { previous_response_id: response?.id, input: "Go on" })));
    return [...lost, ...check(await other.ask(create(server, { input: [message("user", "Begin anew.")] })))];
  },
  "websocket-generate-false": async (server) => {
    await using socket = await server.connect();
    const warm = await socket.ask(create(server, { generate: false, input: "The word is cobalt." }));
    const empty = warm.response?.output?.length === 0 ? [] : ["a request that generates nothing has an output"];
    const next = await socket.ask(create(server, { previous_response_id: warm.response?.id, input: "Which word?" }));
    return [...checkEvents(warm.events), ...empty, ...check(next)];
  },
  "websocket-previous-response-not-found": async (server) => {
    await using socket = await server.connect();
    return notFound(await socket.ask(create(server, { previous_response_id: "resp_of_nobody", input: "Go on" })));
  },
  "websocket-failed-continuation-evicts-cache": async (server) => {
    await using socket = await server.connect();
    const { response } = await socket.ask(create(server, { input: "Remember ember." }));
    const orphan = [{ type: "function_call_output", call_id: "call_of_nobody", output: "Nobody called." }];
    const failed = await socket.ask(create(server, { previous_response_id: response?.id, input: orphan }));
    const again = await socket.ask(create(server, { previous_response_id: response?.id, input: "Which word?" }));
    return [...(failed.code === null ? ["an output without a call is taken"] : []), ...notFound(again)];
  },
  "websocket-compact-new-chain": async (server) => {
    const { body } = await server.post("/responses/compact", { model: server.model, input: [message("user", "The word is slate.")] });
    await using socket = await server.connect();
    return check(await socket.ask(create(server, { input: [...(body?.output ?? []), message("user", "Which word?")] })));
  },
  "system-prompt": whole({ input: [message("system", "Talk as a pirate does."), message("user", "Say hello.")] }),
  "tool-calling": whole({ input: [message("user", "How is the weather in Oslo?")], tools: [weather] }, "function_call"),
  "tool-calling-streaming": async ({ stream, model }) => {
    const answer = await stream({ model, input: [message("user", "How is the weather in Oslo?")], tools: [weather] });
    const told = new Set(answer.events.map(({ type, item }) => (item === undefined ? type : `${type} ${item.type}`)));
    const wanted = ["output_item.added function_call", "function_call_arguments.delta", "function_call_arguments.done", "output_item.done function_call"];
    const missing = wanted.filter((type) => !told.has(`response.${type}`)).map((type) => `there is no response.${type}`);
    return [...missing, ...check(answer, "function_call")];
  },
  "image-input": whole({
    input: [message("user", [{ type: "input_text", text: "What is this?" }, { type: "input_image", image_url: dot }])],
  }),
  "multi-turn": whole({ input: [message("user", "I am Alice."), message("assistant", "Hello Alice."), message("user", "Who am I?")] }),
  "compact-response": async ({ post, model }) => {
    const input = [message("user", "We begin on Tuesday."), message("assistant", "On Tuesday, then.")];
    const { status, body } = await post("/responses/compact", { model, prompt_cache_key: "compact", input });
    const isWhole = status === 200 && body.object === "response.compaction" && body.output.some(({ type }) => type === "compaction");
    return isWhole ? [] : [`it is answered with ${status}: ${JSON.stringify(body)}`];
  },
  "compact-missing-model": async ({ post }) => isRefused(await post("/responses/compact", { input: [message("user", "Shorten this.")] })),
};
