import OpenAI from "openai";
import { expect, test } from "vitest";
import { startScriptedModel, type TurnItem } from "../src/index.ts";

const everyKind: readonly TurnItem[] = [
  { reasoning: "I think about it." },
  { search: "weather" },
  { text: "Grüße, 世界 🌍! This text is long enough for several deltas." },
  { call: "shell_command", arguments: { command: "ls -la" } },
  { custom: "apply_patch", input: "*** Begin Patch\n*** End Patch\n" },
  { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "raw thoughts" }] },
  { type: "message", content: [{ type: "refusal", refusal: "I will not." }] },
  { type: "compaction" },
];

const params = {
  model: "m",
  instructions: "Be kind.",
  input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] }],
  tools: [{ type: "function", name: "shell_command", strict: false, parameters: { type: "object" } }],
  store: false,
  include: ["reasoning.encrypted_content"],
  prompt_cache_key: "thread-1",
} satisfies OpenAI.Responses.ResponseCreateParams;

function connect(url: string) {
  return new OpenAI({ baseURL: url, apiKey: "none", maxRetries: 0 });
}

test("the SDK's stream helper reads every kind of item and gives back what the script says", async () => {
  await using model = await startScriptedModel({
    script: { turns: [{ items: everyKind, chunkBytes: 5 }] },
    now: () => 1_700_000_000_999,
  });
  const stream = connect(model.url).responses.stream({ ...params, stream: true });
  const deltas: string[] = [];
  stream.on("response.output_text.delta", ({ delta }) => deltas.push(delta));
  const final = await stream.finalResponse();
  expect(deltas.join("")).toBe("Grüße, 世界 🌍! This text is long enough for several deltas.");
  expect(final).toMatchInlineSnapshot(`
    {
      "background": false,
      "completed_at": 1700000000,
      "created_at": 1700000000,
      "error": null,
      "frequency_penalty": 0,
      "id": "resp_1_1",
      "incomplete_details": null,
      "instructions": "Be kind.",
      "max_output_tokens": null,
      "max_tool_calls": null,
      "metadata": {},
      "model": "m",
      "object": "response",
      "output": [
        {
          "encrypted_content": "bm90IHJlYWxseSBlbmNyeXB0ZWQ6IDFfMV8w",
          "id": "rs_1_1_0",
          "summary": [
            {
              "text": "I think about it.",
              "type": "summary_text",
            },
          ],
          "type": "reasoning",
        },
        {
          "action": {
            "query": "weather",
            "type": "search",
          },
          "id": "ws_1_1_1",
          "status": "completed",
          "type": "web_search_call",
        },
        {
          "content": [
            {
              "annotations": [],
              "logprobs": [],
              "parsed": null,
              "text": "Grüße, 世界 🌍! This text is long enough for several deltas.",
              "type": "output_text",
            },
          ],
          "id": "msg_1_1_2",
          "role": "assistant",
          "status": "completed",
          "type": "message",
        },
        {
          "arguments": "{"command":"ls -la"}",
          "call_id": "call_1_1_3",
          "id": "fc_1_1_3",
          "name": "shell_command",
          "parsed_arguments": null,
          "status": "completed",
          "type": "function_call",
        },
        {
          "call_id": "call_1_1_4",
          "id": "ctc_1_1_4",
          "input": "*** Begin Patch
    *** End Patch
    ",
          "name": "apply_patch",
          "status": "completed",
          "type": "custom_tool_call",
        },
        {
          "content": [
            {
              "text": "raw thoughts",
              "type": "reasoning_text",
            },
          ],
          "encrypted_content": "bm90IHJlYWxseSBlbmNyeXB0ZWQ6IDFfMV81",
          "id": "rs_1_1_5",
          "summary": [],
          "type": "reasoning",
        },
        {
          "content": [
            {
              "parsed": null,
              "refusal": "I will not.",
              "type": "refusal",
            },
          ],
          "id": "msg_1_1_6",
          "role": "assistant",
          "status": "completed",
          "type": "message",
        },
        {
          "encrypted_content": "bm90IHJlYWxseSBlbmNyeXB0ZWQ6IDFfMV83",
          "id": "cmp_1_1_7",
          "type": "compaction",
        },
      ],
      "output_parsed": null,
      "output_text": "Grüße, 世界 🌍! This text is long enough for several deltas.",
      "parallel_tool_calls": true,
      "presence_penalty": 0,
      "previous_response_id": null,
      "prompt_cache_key": "thread-1",
      "reasoning": {
        "effort": null,
        "summary": null,
      },
      "safety_identifier": null,
      "service_tier": "default",
      "status": "completed",
      "store": false,
      "temperature": 1,
      "text": {
        "format": {
          "type": "text",
        },
        "verbosity": "medium",
      },
      "tool_choice": "auto",
      "tools": [
        {
          "description": null,
          "name": "shell_command",
          "parameters": {
            "type": "object",
          },
          "strict": false,
          "type": "function",
        },
      ],
      "top_logprobs": 0,
      "top_p": 1,
      "truncation": "disabled",
      "usage": {
        "input_tokens": 46,
        "input_tokens_details": {
          "cache_write_tokens": 46,
          "cached_tokens": 0,
        },
        "output_tokens": 294,
        "output_tokens_details": {
          "reasoning_tokens": 82,
        },
        "total_tokens": 340,
      },
      "user": null,
    }
  `);
});

test("the SDK's event iterator sees numbered events, and all deltas of an item add up to its done event", async () => {
  await using model = await startScriptedModel({ script: { turns: [{ items: everyKind }] } });
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of await connect(model.url).responses.create({ ...params, stream: true })) events.push(event);
  expect(events.map((event) => event.type)).toMatchInlineSnapshot(`
    [
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.reasoning_summary_part.added",
      "response.reasoning_summary_text.delta",
      "response.reasoning_summary_text.done",
      "response.reasoning_summary_part.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.web_search_call.in_progress",
      "response.web_search_call.searching",
      "response.web_search_call.completed",
      "response.output_item.done",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.function_call_arguments.delta",
      "response.function_call_arguments.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.custom_tool_call_input.delta",
      "response.custom_tool_call_input.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.content_part.added",
      "response.reasoning_text.delta",
      "response.reasoning_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.content_part.added",
      "response.refusal.delta",
      "response.refusal.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.output_item.done",
      "response.completed",
    ]
  `);
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
});
