import type { JsonObject, ScriptedModel } from "../src/index.ts";

/** A user message as an input item. */
export function user(text: string): JsonObject {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}
export function call(callId: string): JsonObject {
  return { type: "function_call", call_id: callId, name: "shell_command", arguments: "{}" };
}
export function output(callId: string): JsonObject {
  return { type: "function_call_output", call_id: callId, output: "done" };
}

/** A body that breaks no law, in the field order of our client. */
export function body(input: readonly JsonObject[], changes: JsonObject = {}): JsonObject {
  return {
    model: "m",
    instructions: "Be kind.",
    tools: [{ type: "function", name: "shell_command" }, { type: "web_search" }],
    store: false,
    stream: true,
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: "thread-1",
    input,
    reasoning: { effort: "low" },
    ...changes,
  };
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Posts a body; text goes as it stands. `connection: close`, so that nothing is left open in the test's process. */
export async function post(model: ScriptedModel, content: JsonObject | string, path = "/responses"): Promise<Reply> {
  const response = await fetch(model.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close" },
    body: typeof content === "string" ? content : JSON.stringify(content),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Posts a body and gives back the events that came. */
export async function postForEvents(model: ScriptedModel, content: JsonObject): Promise<readonly JsonObject[]> {
  return readEvents((await post(model, content)).text);
}

export function readEvents(text: string): readonly JsonObject[] {
  const data = text.split("\n").filter((line) => line.startsWith("data: "));
  return data.map((line) => JSON.parse(line.slice("data: ".length)) as JsonObject);
}

/** The response object of the terminal event. */
export async function postForResponse(model: ScriptedModel, content: JsonObject): Promise<JsonObject> {
  return (await postForEvents(model, content)).at(-1)?.["response"] as JsonObject;
}
