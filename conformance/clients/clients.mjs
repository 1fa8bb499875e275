// The tasks for each client. A case gives back what is wrong; nothing: all is well.

const model = "unroll-demo";
const task = "What is the weather in Rome?";
const parameters = {
  type: "object",
  properties: { location: { type: "string" } },
  required: ["location"],
  additionalProperties: false,
};
const tool = { type: "function", name: "get_weather", description: "The weather.", parameters, strict: true };

/** By package: what it is asked, in words, and how. */
export const clients = [
  {
    name: "openai",
    cases: {
      "a whole response": async (world) => wants("demo model", (await (await openai(world)).responses.create({ model, input: "Hi" })).output_text),
      "a streamed response": async (world) => {
        const stream = (await openai(world)).responses.stream({ model, input: "Hi" });
        return wants("demo model", (await stream.finalResponse()).output_text);
      },
      "a tool call, and its output": async (world) => {
        const client = await openai(world);
        const input = [{ role: "user", content: task }];
        const { output } = await client.responses.create({ model, input, tools: [tool] });
        const result = { type: "function_call_output", call_id: output[0].call_id, output: "sunny" };
        const second = await client.responses.create({ model, input: [...input, ...output, result], tools: [tool] });
        return wants("sunny", second.output_text);
      },
      "an answer by a schema": async (world) => {
        const format = { type: "json_schema", name: "place", strict: true, schema: parameters };
        const response = await (await openai(world)).responses.parse({ model, input: "Where?", text: { format } });
        return wants("sample", String(response.output_parsed?.location));
      },
      "input tokens": async (world) => {
        const { input_tokens: tokens } = await (await openai(world)).responses.inputTokens.count({ model, input: "Hi" });
        return tokens > 0 ? null : `${tokens} tokens`;
      },
      "a compaction": async (world) => {
        const { output } = await (await openai(world)).responses.compact({ model, input: "Hi" });
        return wants("compaction", output[0]?.type ?? "");
      },
    },
  },
  {
    name: "ai",
    cases: {
      "a whole response": async (world) => {
        const { generateText, languageModel } = await aiSdk(world);
        return wants("demo model", (await generateText({ model: languageModel, prompt: "Hi" })).text);
      },
      "a streamed response": async (world) => {
        const { streamText, languageModel } = await aiSdk(world);
        return wants("demo model", await streamText({ model: languageModel, prompt: "Hi" }).text);
      },
      "a loop with a tool, whole": async (world) => {
        const { generateText, stepCountIs, isStepCount, languageModel, tools } = await aiSdk(world);
        const stopWhen = (stepCountIs ?? isStepCount)(5);
        return wants("sunny in sample", (await generateText({ model: languageModel, prompt: task, tools, stopWhen })).text);
      },
      "a loop with a tool, streamed": async (world) => {
        const { streamText, stepCountIs, isStepCount, languageModel, tools } = await aiSdk(world);
        const stopWhen = (stepCountIs ?? isStepCount)(5);
        return wants("sunny in sample", await streamText({ model: languageModel, prompt: task, tools, stopWhen }).text);
      },
    },
  },
  {
    name: "@langchain/openai",
    cases: {
      "a whole response": async (world) => wants("demo model", textOf(await (await langChain(world)).invoke("Hi"))),
      "a streamed response": async (world) => {
        const pieces = [];
        for await (const chunk of await (await langChain(world)).stream("Hi")) pieces.push(textOf(chunk));
        return wants("demo model", pieces.join(""));
      },
      "a tool call": async (world) => {
        const answer = await (await langChain(world)).bindTools([{ type: "function", function: tool }]).invoke(task);
        return wants("get_weather", answer.tool_calls?.[0]?.name ?? "");
      },
    },
  },
  {
    name: "@openai/agents",
    cases: {
      "a run with a tool, whole": async (world) => {
        const { runner, agent } = await openaiAgents(world);
        return wants("sunny in sample", (await runner.run(agent, task)).finalOutput);
      },
      "a run with a tool, streamed": async (world) => {
        const { runner, agent } = await openaiAgents(world);
        const result = await runner.run(agent, task, { stream: true });
        await result.completed;
        return wants("sunny in sample", result.finalOutput);
      },
    },
  },
];

function wants(part, text) {
  return text.includes(part) ? null : `expected ${JSON.stringify(part)} in ${JSON.stringify(text)}`;
}

async function openai({ load, baseURL }) {
  const { OpenAI } = await load("openai");
  return new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
}

async function aiSdk({ load, baseURL }) {
  const sdk = await load("ai");
  const { createOpenAI } = await load("@ai-sdk/openai");
  const { z } = await load("zod");
  const execute = async ({ location }) => `sunny in ${location}`;
  const tools = {
    get_weather: sdk.tool({ description: "The weather.", inputSchema: z.object({ location: z.string() }), execute }),
  };
  return { ...sdk, tools, languageModel: createOpenAI({ baseURL, apiKey: "none" }).responses(model) };
}

async function langChain({ load, baseURL }) {
  const { ChatOpenAI } = await load("@langchain/openai");
  return new ChatOpenAI({ model, apiKey: "none", useResponsesApi: true, maxRetries: 0, configuration: { baseURL } });
}

function textOf({ content }) {
  if (typeof content === "string") return content;
  return content.map(({ text }) => text ?? "").join("");
}

async function openaiAgents({ load, baseURL }) {
  const agents = await load("@openai/agents");
  const { z } = await load("zod");
  const modelProvider = new agents.OpenAIProvider({ openAIClient: await openai({ load, baseURL }), useResponses: true });
  const runner = new agents.Runner({ modelProvider, tracingDisabled: true });
  const weather = agents.tool({
    name: "get_weather",
    description: "The weather.",
    parameters: z.object({ location: z.string() }),
    execute: async ({ location }) => `sunny in ${location}`,
  });
  return { runner, agent: new agents.Agent({ name: "Guide", model, tools: [weather] }) };
}
