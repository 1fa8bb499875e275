// The tasks for the clients of compare-exec.mjs. A case gives back lines, which are compared.
import { join } from "node:path";
import { says } from "./exec-world.mjs";

const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const move = [
  "*** Add File: z.txt\n+z",
  "*** Update File: b.txt\n*** Move to: moved/c.txt\n@@\n-b.txt\n+c",
  "*** Delete File: a.txt",
].join("\n");

/** Elsewhere there is no sandbox: the Codex CLI runs nothing in one where its home is a temporary folder. */
const asking = { approvalPolicy: "on-request", sandboxMode: "read-only" };

/** Through every client: the turns of the model, and what the person asks. */
const turns = {
  "a run": { turns: [says.text("Hello.")] },
  "a command": { turns: [says.command("echo out; sleep 0.3; echo err >&2"), says.text("Done.")] },
  "a command that fails": { turns: [says.command("echo no; exit 3"), says.text("Done.")] },
  "a patch with a move": { turns: [says.patch(move), says.text("Done.")] },
  "a patch that does not fit": { turns: [says.patch("*** Update File: a.txt\n@@\n-other\n+new"), says.text("Done.")] },
  "a web search": { turns: [{ items: [{ search: "weather" }, { text: "Sunny." }] }] },
  "a page that is opened": {
    turns: [
      {
        items: [
          { type: "web_search_call", action: { type: "open_page", url: "https://example.com/" } },
          { text: "Read." },
        ],
      },
    ],
  },
  "reasoning": { turns: [{ items: [{ reasoning: "**Thinking** about it." }, { text: "Done." }] }] },
  "a server that fails once": { turns: [{ status: 500, body: "no" }, says.text("Done.")] },
  "a server that fails": { turns: [{ status: 500, body: "no" }] },
  "a server that refuses": {
    turns: [{ status: 400, body: { error: { message: "Not so.", type: "invalid_request_error", code: "bad_thing" } } }],
  },
  "a stream that is cut": { turns: [{ items: [{ text: "This answer is cut" }], cut: { afterEvents: 5, how: "close" } }] },
  "a response that fails": {
    turns: [{ items: [], end: { failed: { code: "server_error", message: "The server stumbled." } } }],
  },
  "a refused command": { ...asking, turns: [says.outside("touch made"), says.text("Done.")] },
  "a refused patch": { ...asking, turns: [says.patch("*** Add File: ../outside.txt\n+z"), says.text("Done.")] },
};

const sdk = {
  name: "@openai/codex-sdk",
  cases: {
    ...eachTurn(async (context, options) => {
      const thread = await startThread(context, options);
      return readEvents(await thread.runStreamed("Go."));
    }),
    "run(), failed": {
      turns: turns["a server that refuses"].turns,
      run: async (context) => [describeTurn(await (await startThread(context)).run("Go."))],
    },
    "images": {
      turns: [says.text("A pixel.")],
      async run(context) {
        const { world } = context;
        const path = join(world.work, "image.png");
        const input = [{ type: "text", text: "What is it?" }, { type: "local_image", path }];
        const turn = await (await startThread(context)).run(input);
        const parts = world.model.requests[0].input.flatMap(({ content }) => (Array.isArray(content) ? content : []));
        return [describeTurn(turn), `images sent: ${parts.filter(({ type }) => type === "input_image").length}`];
      },
    },
    "an answer by a schema": {
      turns: [says.text('{"city":"Rome"}')],
      async run(context) {
        const turn = await (await startThread(context)).run("Where?", { outputSchema: schema });
        const { strict, type } = context.world.model.requests[0].body.text?.format ?? {};
        return [describeTurn(turn), `format: ${type}, strict ${strict}`];
      },
    },
    "an answer that misses the schema": {
      turns: [says.text("Rome, I think.")],
      run: async (context) => [describeTurn(await (await startThread(context)).run("Where?", { outputSchema: schema }))],
    },
    "a second run": {
      turns: [says.text("One."), says.text("Two.")],
      async run(context) {
        const thread = await startThread(context);
        return [describeTurn(await thread.run("First.")), describeTurn(await thread.run("Second.")), ...describeInput(context)];
      },
    },
    "a thread that is resumed": {
      turns: [says.text("One."), says.text("Two.")],
      async run(context) {
        const thread = await startThread(context);
        await thread.run("First.");
        const resumed = (await openCodex(context)).resumeThread(thread.id, threadOptions(context));
        const turn = await resumed.run("Second.");
        return [describeTurn(turn), `the same thread: ${resumed.id === thread.id}`, ...describeInput(context)];
      },
    },
    "an abort of run()": { turns: [says.command("sleep 20")], run: (context) => abort(context, "run") },
    "an abort of runStreamed()": { turns: [says.command("sleep 20")], run: (context) => abort(context, "runStreamed") },
    "all options": {
      turns: [says.text("Hello.")],
      async run(context) {
        const { world } = context;
        const config = { shell_environment_policy: { set: { "A B": "c" } }, hide_agent_reasoning: true, projects: { "/tmp/x": { trust_level: "trusted" } } };
        const options = {
          threadSource: "automation",
          modelReasoningEffort: "xhigh",
          networkAccessEnabled: true,
          webSearchMode: "live",
          additionalDirectories: [join(world.work, "..")],
        };
        const turn = await (await startThread(context, options, config)).run("Go.", { cyberAccessProgram: "standard" });
        const { headers, body } = world.model.requests[0];
        return [describeTurn(turn), `originator: ${headers.originator}`, `effort: ${body.reasoning?.effort}`];
      },
    },
  },
};

const aiSdk = {
  name: "ai-sdk-provider-codex-cli",
  cases: {
    ...eachTurn(async ({ load, ...context }, { approvalPolicy, ...options }) => {
      const { streamText } = await load("ai");
      const { fullStream } = streamText({ model: await openModel({ load, ...context }, { ...options, ...(approvalPolicy && { approvalMode: approvalPolicy }) }), prompt: "Go.", onError() {} });
      const parts = [];
      for await (const { id: _, toolCallId: __, ...part } of fullStream) parts.push(describePart(part));
      return parts.flat();
    }),
    "generateText": {
      turns: [says.text("Hello.")],
      async run({ load, ...context }) {
        const { generateText } = await load("ai");
        const { text, finishReason, usage } = await generateText({ model: await openModel({ load, ...context }), prompt: "Go." });
        const { inputTokens, outputTokens } = usage;
        return [`text ${text}`, `finish ${finishReason}`, `usage ${inputTokens} ${outputTokens}`];
      },
    },
    "an object": {
      turns: [says.text('{"city":"Rome"}')],
      async run({ load, ...context }) {
        const { generateText, Output, jsonSchema } = await load("ai");
        const output = Output.object({ schema: jsonSchema(schema) });
        const { output: object } = await generateText({ model: await openModel({ load, ...context }), prompt: "Where?", output });
        return [JSON.stringify(object)];
      },
    },
    "an abort": {
      turns: [says.command("sleep 20")],
      async run({ load, ...context }) {
        const { generateText } = await load("ai");
        const abortSignal = AbortSignal.timeout(4_000);
        await generateText({ model: await openModel({ load, ...context }), prompt: "Go.", abortSignal, maxRetries: 0 });
        return ["no error"];
      },
    },
  },
};

const agents = {
  name: "@openai/agents-extensions",
  cases: {
    ...eachTurn((context, options) => callTool(context, options, ["Go."])),
    "persistSession": {
      turns: [says.text("One."), says.text("Two.")],
      run: async (context) => [...(await callTool(context, {}, ["First.", "Second."])), ...describeInput(context)],
    },
  },
};

const promptfoo = {
  name: "promptfoo",
  cases: eachTurn(async ({ load, program, world }, { approvalPolicy, sandboxMode = "danger-full-access" }) => {
    Object.assign(process.env, { PROMPTFOO_DISABLE_TELEMETRY: "1", PROMPTFOO_CONFIG_DIR: world.env.HOME, LOG_LEVEL: "error" });
    const { loadApiProvider } = await load("promptfoo");
    const own = { codex_path_override: program, working_dir: world.work, cli_env: world.env, apiKey: "none", model: "gpt-5.5" };
    const config = { ...own, sandbox_mode: sandboxMode, ...(approvalPolicy && { approval_policy: approvalPolicy }) };
    const provider = await loadApiProvider("openai:codex-sdk", { options: { config } });
    const { output, error, tokenUsage, raw } = await provider.callApi("Go.", { vars: {}, prompt: { raw: "Go.", label: "Go." } });
    if (error !== undefined) return [`throws Error: ${error}`];
    const { items = [] } = JSON.parse(raw ?? "{}");
    return [`answer ${JSON.stringify({ output, tokenUsage, items: items.map(({ type }) => type) })}`];
  }),
};

export const clients = [sdk, aiSdk, agents, promptfoo];

function eachTurn(run) {
  const cases = Object.entries(turns);
  return Object.fromEntries(cases.map(([name, { turns: script, ...more }]) => [name, { turns: script, run: (context) => run(context, more) }]));
}

async function openCodex({ load, program, world }, config) {
  const { Codex } = await load("@openai/codex-sdk");
  return new Codex({ codexPathOverride: program, env: world.env, apiKey: "none", ...(config && { config }) });
}

function threadOptions({ world }) {
  return { workingDirectory: world.work, sandboxMode: "danger-full-access" };
}

async function startThread(context, options = {}, config) {
  return (await openCodex(context, config)).startThread({ ...threadOptions(context), ...options });
}

async function abort(context, way) {
  const controller = new AbortController();
  const thread = await startThread(context);
  setTimeout(() => controller.abort(), 4_000);
  if (way === "run") return [describeTurn(await thread.run("Go.", { signal: controller.signal }))];
  return readEvents(await thread.runStreamed("Go.", { signal: controller.signal }));
}

async function openModel({ load, program, world }, settings = {}) {
  const { createCodexExec } = await load("ai-sdk-provider-codex-cli");
  const all = { codexPath: program, cwd: world.work, env: world.env, sandboxMode: "danger-full-access", logger: false, ...settings };
  return createCodexExec()("gpt-5.5", all);
}

async function callTool({ load, program, world }, options, prompts) {
  const { codexTool } = await load("@openai/agents-extensions/experimental/codex");
  const { RunContext } = await load("@openai/agents");
  const lines = [];
  const tool = codexTool({
    codexOptions: { codexPathOverride: program, env: world.env },
    defaultThreadOptions: { workingDirectory: world.work, sandboxMode: "danger-full-access", ...options },
    persistSession: prompts.length > 1,
    onStream: ({ event }) => lines.push(...describeEvent(event)),
  });
  for (const text of prompts) {
    const input = JSON.stringify({ inputs: [{ type: "text", text }] });
    lines.push(`answer ${JSON.stringify(await tool.invoke(new RunContext(), input))}`);
  }
  return lines;
}

async function readEvents({ events }) {
  const lines = [];
  try {
    for await (const event of events) lines.push(...describeEvent(event));
  } catch (error) {
    lines.push(`throws ${error.name}: ${error.message}`);
  }
  return lines;
}

function describeEvent({ type, item, turn_id: _turn, thread_usage: _total, ...event }) {
  if (item === undefined) return [`${type} ${JSON.stringify(event)}`];
  const { id: _id, type: kind, ...fields } = item;
  return [`${type} ${kind} ${JSON.stringify(fields, sorted)}`];
}

function sorted(_key, value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => a.localeCompare(b)));
}

function describeTurn({ finalResponse, usage, items }) {
  return `turn ${JSON.stringify({ finalResponse, usage, items: items.map(({ type }) => type) })}`;
}

/** The earlier messages that the last request contains. */
function describeInput({ world }) {
  const texts = world.model.requests.at(-1).input.flatMap(({ role, content }) => (Array.isArray(content) ? content.map(({ text = "" }) => `${role}: ${text}`) : []));
  return texts.filter((text) => /: (?:First|Second|One|Two)\.$/.test(text)).map((text) => `sent ${text}`);
}

/** Some parts have a text or plain data for an error. */
function describeError(error) {
  return typeof error === "object" && error !== null && "message" in error ? `${error.name ?? "Error"}: ${error.message}` : JSON.stringify(error);
}

function describePart(part) {
  const { type, request: _, response: __, providerMetadata: ___, error, ...rest } = part;
  if (["start", "start-step", "stream-start", "raw"].includes(type)) return [];
  if (error !== undefined) return [`${type} ${describeError(error)}`];
  return [`${type} ${JSON.stringify(rest, (key, value) => (key === "messageId" || key === "performance" ? undefined : value))}`];
}
