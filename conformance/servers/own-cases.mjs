// The behaviour of servers, case by case, as their sources, issues and recorded answers show it. A case has a server of
// its own: `serve` says how it answers, `run` what is asked of the program, and gives back what is wrong; null: nothing
// is.
import {
  createLlamaServerGuise,
  createLmStudioGuise,
  createOllamaGuise,
  createVllmGuise,
} from "../../packages/scripted-model/src/index.ts";
import { shortenFault } from "./programs.mjs";
import { completed, mark, message, replay, shell, tell } from "./replay.mjs";

const model = "lab";
const llama = (more = {}) => createLlamaServerGuise({ model, ...more });
const ollama = (more = {}) => createOllamaGuise({ version: "1.0.0", models: [model], ...more });
const vllm = (more = {}) => createVllmGuise({ models: [model], ...more });
const done = { items: [{ text: "Done." }] };

/** A turn with a word before its calls, and the end behind them. */
const wordAndCalls = [
  (request) => ({ items: [{ reasoning: "Think first." }, { text: "I look." }, mark(request, "one"), mark(request, "two")] }),
  done,
];

/**
 * Whether the listed commands ran, each as often as it is listed, side by side or in turn, and the turn came to its
 * end.
 */
function expectRun({ ran, result, said = ["Done."] }, words) {
  if (ran.toSorted().join() !== words.toSorted().join()) return `ran ${ran.join(" ") || "nothing"}, not ${words.join(" ") || "nothing"}`;
  const missing = said.filter((text) => !result.said.join("\n").includes(text));
  if (missing.length > 0) return `not said: ${missing.join(", ")}${result.isCompleted ? "" : ` (${lastWords(result)})`}`;
  return result.exitCode === 0 ? null : `exit code ${result.exitCode}: ${lastWords(result)}`;
}

function lastWords({ stdout, stderr }) {
  const message = [...stdout.matchAll(/"message":"((?:[^"\\]|\\.)*)"/g)].at(-1)?.[1];
  return shortenFault(message ?? stderr.trim().split("\n").at(-1) ?? "");
}

/** One turn that has to run these commands and say these words. */
const oneTurn = (words, said) => async (world) => {
  const result = await world.say("Go.");
  return expectRun({ ran: world.readRan(), result, ...(said && { said }) }, words);
};

/** Two turns, of which the second has to end well, too. */
const twoTurns = (words) => async (world, server) => {
  const first = expectRun({ ran: world.readRan(), result: await world.say("Go."), said: [] }, []);
  if (first !== null && world.readRan().length === 0) return `turn 1: ${first}`;
  const result = await world.say("Go on.");
  return expectRun({ ran: world.readRan(), result }, words) ?? checkPaired(server);
};

/** Whether the last request has one output for each call. */
function checkPaired({ requests }) {
  const input = requests.at(-1)?.input ?? [];
  const count = (type) => input.filter((item) => item.type === type).length;
  const [calls, outputs] = [count("function_call"), count("function_call_output")];
  return calls === outputs ? null : `${calls} calls and ${outputs} outputs in the last request`;
}

const streams = [
  {
    name: "llama-server, recorded: reasoning, a message and a call without any index",
    serve: { turns: [replay("002-llama-server", [["uname -sr", "one"]]), done] },
    run: oneTurn(["one"], ["I will look at what is here.", "Done."]),
  },
  {
    name: "llama-server, recorded: three calls at once, two of them alike",
    serve: { turns: [replay("003-llama-server-three-calls", [["uname -sr", "one"], ["ls -la", "two"]]), done] },
    run: oneTurn(["one", "two", "one"], ["I will look at what is here.", "Done."]),
  },
  {
    name: "Ollama: a message has the index of the calls behind it, and ends in the final output alone",
    serve: { guise: ollama(), turns: wordAndCalls },
    run: oneTurn(["one", "two"], ["I look.", "Done."]),
  },
  {
    name: "vLLM: the final output has other ids and other call ids",
    serve: { guise: vllm(), turns: wordAndCalls },
    run: oneTurn(["one", "two"], ["I look.", "Done."]),
  },
  {
    name: "vLLM with gpt-oss: finished calls without an id",
    serve: { guise: vllm({ isHarmony: true }), turns: wordAndCalls },
    run: oneTurn(["one", "two"], ["I look.", "Done."]),
  },
  {
    name: "vLLM: a call without arguments is an empty text",
    serve: { guise: vllm(), turns: [{ items: [{ call: "list_mcp_resources", arguments: {} }] }, done] },
    async run(world, server) {
      const fault = expectRun({ ran: [], result: await world.say("Go.") }, []);
      const call = server.requests.at(-1)?.input.find(({ type }) => type === "function_call");
      return fault ?? (call?.arguments === "{}" ? null : `kept as ${JSON.stringify(call?.arguments)}`);
    },
  },
  {
    name: "a gateway: deltas alone, then an empty final output",
    serve: {
      turns: [
        tell((toCall) => [
          { type: "response.created", response: { id: "resp_1" } },
          { type: "response.output_text.delta", item_id: "m", output_index: 0, content_index: 0, delta: "I look." },
          { type: "response.output_item.added", output_index: 1, item: { id: "c", type: "function_call", call_id: "call_1", name: toCall("one").name, arguments: "" } },
          { type: "response.function_call_arguments.delta", item_id: "c", output_index: 1, delta: toCall("one").arguments },
          completed([]),
        ]),
        done,
      ],
    },
    run: oneTurn(["one"], ["I look.", "Done."]),
  },
  {
    name: "a gateway: nothing but the final output",
    serve: {
      turns: [
        tell((toCall) => {
          const { name, arguments: text } = toCall("one");
          return [completed([message("m", "I look."), { id: "c", type: "function_call", call_id: "call_1", name, arguments: text }]), "data: [DONE]\n\n"];
        }),
        done,
      ],
    },
    run: oneTurn(["one"], ["I look.", "Done."]),
  },
  {
    name: "GitHub Copilot: another id on every event of one item",
    serve: {
      turns: [
        tell((toCall) => {
          const { name, arguments: text } = toCall("one");
          const call = { type: "function_call", call_id: "call_1", name };
          return [
            { type: "response.created", response: { id: "resp_1" } },
            { type: "response.output_item.added", output_index: 0, item: { id: "x1", type: "message", role: "assistant", content: [] } },
            { type: "response.output_text.delta", item_id: "x2", output_index: 0, content_index: 0, delta: "I look." },
            { type: "response.output_item.done", output_index: 0, item: message("x3", "I look.") },
            { type: "response.output_item.added", output_index: 1, item: { id: "y1", ...call, arguments: "" } },
            { type: "response.function_call_arguments.delta", item_id: "y2", output_index: 1, delta: text },
            { type: "response.output_item.done", output_index: 1, item: { id: "y3", ...call, arguments: text } },
            completed([message("x4", "I look."), { id: "y4", ...call, arguments: text }], { id: "resp_2" }),
          ];
        }),
        done,
      ],
    },
    run: oneTurn(["one"], ["I look.", "Done."]),
  },
  {
    name: "OpenRouter: comments, and items that finish out of order",
    serve: {
      turns: [
        tell((toCall) => {
          const { name, arguments: text } = toCall("one");
          const call = { id: "c", type: "function_call", call_id: "call_1", name };
          return [
            ": OPENROUTER PROCESSING\n\n",
            { type: "response.created", response: { id: "resp_1" } },
            { type: "response.output_item.added", output_index: 0, item: { id: "m", type: "message", role: "assistant", content: [] } },
            { type: "response.output_item.added", output_index: 1, item: { ...call, arguments: "" } },
            { type: "response.output_text.delta", item_id: "m", output_index: 0, content_index: 0, delta: "I look." },
            { type: "response.output_item.done", output_index: 1, item: { ...call, arguments: text } },
            { type: "response.output_item.done", output_index: 0, item: message("m", "I look.") },
            completed([message("m", "I look."), { ...call, arguments: text }]),
          ];
        }),
        done,
      ],
    },
    run: oneTurn(["one"], ["I look.", "Done."]),
  },
  {
    name: "LiteLLM: a place kept for a message that never comes, a new id with each delta, items that nobody announced",
    serve: {
      turns: [
        tell((toCall) => {
          const { name, arguments: text } = toCall("one");
          const call = { id: "call_1", type: "function_call", call_id: "call_1", name };
          return [
            { type: "response.created", response: { id: "resp_1" } },
            { type: "response.reasoning_summary_text.delta", item_id: "rs_1", output_index: 0, summary_index: 0, delta: "Let me " },
            { type: "response.reasoning_summary_text.delta", item_id: "rs_2", output_index: 0, summary_index: 0, delta: "think." },
            { type: "response.output_item.added", output_index: 1, item: { ...call, arguments: "" } },
            ...text.match(/.{1,10}/g).map((delta) => ({ type: "response.function_call_arguments.delta", item_id: "call_1", output_index: 1, delta })),
            { type: "response.function_call_arguments.done", item_id: "call_1", output_index: 1, arguments: text },
            { type: "response.output_item.done", output_index: 1, item: { ...call, status: "completed", arguments: text } },
            completed([{ ...call, status: "completed", arguments: text }]),
          ];
        }),
        done,
      ],
    },
    run: oneTurn(["one"]),
  },
  {
    name: "responses.js: messages begin at index 0 and go on at another; no event has a name line",
    serve: {
      turns: [
        tell((toCall) => {
          const { name, arguments: text } = toCall("one");
          const call = { id: "c", type: "function_call", call_id: "call_1", name };
          return [
            { type: "response.created", response: { id: "resp_1" } },
            { type: "response.output_item.added", output_index: 0, item: { id: "r", type: "reasoning", summary: [], content: [] } },
            { type: "response.reasoning_text.delta", item_id: "r", output_index: 0, content_index: 0, delta: "Think." },
            { type: "response.output_item.done", output_index: 0, item: { id: "r", type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "Think." }] } },
            { type: "response.output_item.added", output_index: 0, item: { id: "m", type: "message", role: "assistant", content: [] } },
            { type: "response.output_text.delta", item_id: "m", output_index: 1, content_index: 0, delta: "I look." },
            { type: "response.output_item.done", output_index: 1, item: message("m", "I look.") },
            { type: "response.output_item.added", output_index: 2, item: { ...call, arguments: "" } },
            { type: "response.output_item.done", output_index: 2, item: { ...call, arguments: text } },
            completed([message("m", "I look."), { ...call, arguments: text }]),
          ].map((event) => `data: ${JSON.stringify(event)}\n\n`);
        }),
        done,
      ],
    },
    run: oneTurn(["one"], ["I look.", "Done."]),
  },
  {
    name: "a gateway: reasoning and a call share an index, no content index, no `created`, no usage",
    serve: {
      turns: [
        tell((toCall) => {
          const { name, arguments: text } = toCall("one");
          const call = { id: "c", type: "function_call", call_id: "call_1", name };
          return [
            { type: "response.output_item.added", output_index: 0, item: { id: "r", type: "reasoning", summary: [] } },
            { type: "response.output_item.added", output_index: 0, item: { ...call, arguments: "" } },
            { type: "response.function_call_arguments.delta", item_id: "c", output_index: 0, delta: text },
            { type: "response.output_item.done", output_index: 0, item: { ...call, arguments: text } },
            { type: "response.output_item.added", output_index: 1, item: { id: "m", type: "message", role: "assistant", content: [] } },
            { type: "response.output_text.delta", item_id: "m", output_index: 1, content_index: null, delta: "I look." },
            { type: "response.output_item.done", output_index: 1, item: message("m", "I look.") },
            { type: "response.completed", response: { id: "resp_1", status: "completed", output: [] } },
          ];
        }),
        done,
      ],
    },
    run: oneTurn(["one"], ["I look.", "Done."]),
  },
  {
    name: "arguments as an object, and no call id",
    serve: {
      turns: [
        tell((toCall) => {
          const [one, two] = [toCall("one"), toCall("two")];
          const toItem = (id, { name, given }) => ({ id, type: "function_call", call_id: "", name, arguments: given });
          return [
            { type: "response.created", response: { id: "resp_1" } },
            { type: "response.output_item.done", output_index: 0, item: toItem("c1", one) },
            { type: "response.output_item.done", output_index: 1, item: toItem("c2", two) },
            completed([toItem("c1", one), toItem("c2", two)]),
          ];
        }),
        done,
      ],
    },
    run: oneTurn(["one", "two"]),
  },
];

const endings = [
  {
    name: "llama-server: an error in a data line, then all is well",
    serve: { guise: llama(), turns: [{ items: [{ text: "I l" }], end: { failed: { code: "x", message: "The backend broke." } } }, done] },
    run: oneTurn([]),
  },
  {
    name: "a stream that ends with [DONE] and nothing else is a cut, and is asked for again",
    serve: {
      turns: [
        { events: [{ type: "response.created", response: { id: "resp_1" } }, { type: "response.output_text.delta", item_id: "m", output_index: 0, content_index: 0, delta: "I l" }, "data: [DONE]\n\n"] },
        done,
      ],
    },
    run: oneTurn([]),
  },
  {
    name: "vLLM: an answer that is too long is `completed` and incomplete",
    serve: { guise: vllm(), turns: [{ items: [{ text: "I look and" }], end: { incomplete: "max_output_tokens" } }] },
    async run(world) {
      const { exitCode, told } = await world.say("Go.");
      return exitCode !== 0 || /incomplete|max_output_tokens/.test(told) ? null : "it passes for a whole answer";
    },
  },
];

const requests = [
  {
    name: "llama-server: a template with one system text at the beginning (Qwen 3.5)",
    serve: { guise: llama({ template: "system_first" }), turns: [(request) => ({ items: [mark(request, "one")] }), done] },
    run: twoTurns(["one"]),
  },
  {
    name: "llama-server: a template with user and assistant in turn (Mistral)",
    serve: { guise: llama({ template: "alternating" }), turns: [(request) => ({ items: [mark(request, "one")] }), done] },
    run: twoTurns(["one"]),
  },
  {
    name: "llama-server: an answer with reasoning, and the thread goes on",
    serve: { guise: llama(), turns: wordAndCalls },
    run: twoTurns(["one", "two"]),
  },
  {
    name: "vLLM: its own answers come back to it",
    serve: { guise: vllm(), turns: wordAndCalls },
    run: twoTurns(["one", "two"]),
  },
  {
    name: "LM Studio: no tool but functions",
    serve: { guise: createLmStudioGuise({ models: [model], knowsResponses: true }), turns: wordAndCalls },
    run: oneTurn(["one", "two"], ["I look.", "Done."]),
  },
  {
    name: "a server that refuses a member that it does not know (422 include)",
    serve: {
      turns: [({ body }) => (body.include === undefined ? done : { status: 422, body: { detail: "Unexpected keys: include" } })],
    },
    run: oneTurn([]),
  },
];

const lives = [
  {
    name: "llama-server: a call with cut arguments, and the thread goes on",
    serve: {
      guise: llama(),
      turns: [(request) => ({ items: [{ call: shell(request, "x").call, arguments: '{"command": "echo' }] }), done],
    },
    run: twoTurns([]),
  },
  {
    name: "llama-server without eyes: an image, and the thread goes on",
    serve: { guise: llama(), turns: [{ items: [{ call: "view_image", arguments: { path: "dot.png" } }] }, done] },
    async run(world, server) {
      world.write("dot.png", onePixel);
      return twoTurns([])(world, server);
    },
  },
  {
    name: "llama-server -c 12288: a command with too much output, and the thread goes on",
    serve: { guise: llama({ contextLength: 12_288 }), turns: [(request) => ({ items: [shell(request, "seq 1 9000")] }), (request) => ({ items: [shell(request, "seq 1 9000")] }), done] },
    run: twoTurns([]),
  },
  {
    name: "vLLM: the same in its words",
    serve: { guise: vllm({ contextLength: 12_288 }), turns: [(request) => ({ items: [shell(request, "seq 1 9000")] }), (request) => ({ items: [shell(request, "seq 1 9000")] }), done] },
    run: twoTurns([]),
  },
  {
    name: "LM Studio: an empty success where the window is full",
    serve: {
      guise: createLmStudioGuise({ models: [model], knowsResponses: true, contextLength: 12_288, overflow: "empty" }),
      turns: [(request) => ({ items: [shell(request, "seq 1 9000")] }), (request) => ({ items: [shell(request, "seq 1 9000")] }), done],
    },
    run: twoTurns([]),
  },
];

const windows = [
  {
    name: "Ollama drops old messages without a word: somebody says so",
    serve: { guise: ollama({ contextLength: 2048 }), turns: [(request) => ({ items: [mark(request, "one")] }), done] },
    async run(world) {
      const { told } = await world.say("Go.");
      return /2,?048 tokens|OLLAMA_CONTEXT_LENGTH/.test(told) ? null : "nobody says so";
    },
  },
  {
    name: "llama-server -c 8192: a turn with some output, and another one",
    serve: { guise: llama({ contextLength: 8192 }), turns: [(request) => ({ items: [shell(request, "seq 1 200")] }), done] },
    run: twoTurns([]),
  },
];

const starts = [
  {
    name: "llama-server loads its model: it is waited for",
    serve: { guise: llama({ loadingAnswers: 15 }), turns: [done] },
    run: oneTurn([]),
  },
  {
    name: "no model is named: the only one of the server is used",
    model: null,
    serve: { guise: vllm(), turns: [done] },
    run: oneTurn([]),
  },
  {
    name: "a server with chat completions alone is told as one",
    serve: { guise: llama({ knowsResponses: false }), turns: [done] },
    async run(world) {
      const { told, exitCode } = await world.say("Go.");
      return exitCode !== 0 && told.includes("/chat/completions") ? null : "nobody says so";
    },
  },
];

const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Groups of cases, in the order of a conversation. */
export const ownCases = { "How a server streams": streams, "How an answer ends": endings, "What a server takes": requests, "What a thread survives": lives, "How much fits": windows, "How a run begins": starts };
export { model };
