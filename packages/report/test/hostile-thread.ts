import type { PriceOf } from "@unroll/accounting";
import {
  type JournalEntry,
  noTokenUsage,
  type RequestCache,
  type ResponseItem,
  type ThreadItem,
  toRequestHead,
} from "@unroll/protocol";
import { createThreadDocument, type ThreadDocument } from "@unroll/report";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Texts that try to get out of a page or a fence, to run or load something, or to look different. */
const hostile = [
  "</pre></section><script>fetch('LEAK/script')</script>",
  "]]><svg onload=alert(1)>",
  `"><img src="LEAK/image" onerror='alert(1)'>`,
  "</title></style><style>@import url(LEAK/style);</style>",
  "<iframe src=LEAK/frame></iframe><link rel=stylesheet href=LEAK/link><meta http-equiv=refresh content='0;url=LEAK/meta'>",
  "![picture](LEAK/markdown) <b>&amp;</b> \u202egnp.exe\u2066 \u001b[31mred\u0007 \ud800",
  "```\n# Turn 99\n````\n&#60;script&#62;",
].join("\n");

export const priceOf: PriceOf = () => ({ input: 1, cachedInput: 0.1, output: 10 });

const picture =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function item(value: ResponseItem): JournalEntry {
  return { type: "item", item: { item: value, bytes: encode(JSON.stringify(value)) } };
}

export function request(cache: Partial<RequestCache> = {}): JournalEntry {
  const usage = {
    ...noTokenUsage,
    input_tokens: 5000,
    cached_input_tokens: cache.cached_tokens ?? 0,
    output_tokens: 200,
  };
  const whole = {
    prefix_bytes: 9000,
    shared_bytes: 8000,
    shared_tokens: 4000,
    cached_tokens: 0,
    cache_write_tokens: 0,
    idle_ms: 1000,
    miss: null,
  };
  const request = {
    responseId: "r",
    model: "gpt-5",
    provider: "openai",
    serviceTier: null,
    sentAt: 1_795_000_000_000,
    usage,
    cache: { ...whole, ...cache },
    isBeside: false,
    isInherited: false,
  };
  return { type: "request", request };
}

/** A thread of which every part is `hostile`. `leak`: an address that nothing may ask for. */
export function createHostileThread(leak: string): ThreadDocument {
  const bad = hostile.replaceAll("LEAK", leak);
  const text = { type: "input_text", text: bad } as const;
  const first_difference = { index: 2, type: bad };
  const entries: readonly JournalEntry[] = [
    {
      type: "thread.opened",
      threadId: bad,
      model: bad,
      provider: bad,
      head: toRequestHead({ model: bad, instructions: bad, tools: [{ name: bad }] }),
    },
    item({ type: "message", role: "developer", content: [text] }),
    { type: "turn.started", turnId: bad },
    item({ type: "message", role: "user", content: [text, { type: "input_image", image_url: `${leak}/image` }] }),
    request(),
    item({ type: "reasoning", summary: [{ type: "summary_text", text: bad }], encrypted_content: "never shown" }),
    item({ type: "function_call", call_id: "a", name: bad, arguments: JSON.stringify({ command: bad }) }),
    item({
      type: "custom_tool_call",
      call_id: "b",
      name: "apply_patch",
      input: `*** Begin Patch\n+${bad}\n*** End Patch`,
    }),
    item({ type: "function_call", call_id: "c", name: "view", arguments: bad }),
    item({ type: "function_call_output", call_id: "a", output: bad.repeat(3) }),
    item({ type: "custom_tool_call_output", call_id: "b", output: bad }),
    item({ type: "function_call_output", call_id: "c", output: [{ type: "input_image", image_url: picture }] }),
    item({ type: "web_search_call", action: { type: "search", query: bad } }),
    item({ type: "unknown", itemType: bad, json: "{}" }),
    request({ cached_tokens: 4000, miss: { type: "epoch_opened", first_difference, cause: bad } }),
    ...listItems(bad),
    { type: "told", event: { type: "question.asked", question: "command.approval", item_id: bad, reason: bad } },
    {
      type: "told",
      event: { type: "question.answered", question: "command.approval", item_id: bad, answer: "denied" },
    },
    {
      type: "told",
      event: { type: "compaction.completed", method: "local", tokens_before: 2, tokens_after: 1, summary: bad },
    },
    { type: "epoch", cause: bad, isFinal: false, items: [] },
    { type: "told", event: { type: "epoch.opened", cause: bad, items: 0, shared_items: 0, first_difference } },
    item({ type: "message", role: "assistant", content: [{ type: "output_text", text: bad }] }),
    request({ cached_tokens: null, miss: { type: "not_reported", cause: bad } }),
    {
      type: "turn.ended",
      turnId: bad,
      outcome: { type: "failed", error: { code: "x", message: bad }, usage: noTokenUsage },
      nextItem: 0,
    },
  ];
  const own: readonly JournalEntry[] = [
    { type: "turn.started", turnId: bad },
    item({ type: "message", role: "user", content: [text] }),
    ...listItems(bad),
  ];
  const agents = [own, null].map((each) => ({ threadId: bad, name: bad, entries: each }));
  return createThreadDocument(entries, priceOf, agents);
}

/** One of each kind, as they were shown. */
function listItems(bad: string): readonly JournalEntry[] {
  const call = {
    id: "item_1",
    status: "failed",
    reason: bad,
    call_id: "a",
    started_at: 0,
    duration_ms: 65_000,
  } as const;
  const items: readonly ThreadItem[] = [
    { ...call, type: "command_execution", cwd: bad, command: bad, aggregated_output: bad.repeat(3), exit_code: 1 },
    {
      ...call,
      type: "file_change",
      changes: [{ path: bad, kind: "update" }],
      diff: `--- a/${bad}\n+++ b/${bad}\n@@ -1 +1 @@\n-${bad}\n+${bad}\n`,
    },
    { ...call, type: "file_change", changes: [{ path: bad, kind: "update", moved_from: bad }] },
    { ...call, call_id: "c", type: "tool_call", tool: bad, arguments: { [bad]: bad }, output: bad },
    { ...call, type: "image_view", path: bad },
    {
      id: "item_2",
      type: "mcp_tool_call",
      server: bad,
      tool: bad,
      arguments: bad,
      result: { content: [{ type: "text", text: bad }], structured_content: null },
      error: null,
      status: "completed",
    },
    { id: "item_3", type: "web_search", query: bad, status: "completed" },
    { id: "item_4", type: "todo_list", items: [{ text: bad, completed: true }] },
    { id: "item_5", type: "reasoning", text: bad },
    {
      id: "item_6",
      type: "agent_message",
      text: `${bad}\n\n# ${bad}\n\n- ${bad}\n\n[a](javascript:alert(1)) ![b](http://127.0.0.1:1/b) <script>alert(1)</script>\n\n| a | b |\n|---|---|\n| ${bad} | \`${bad}\` |\n\n\`\`\`html\n${bad}\n\`\`\`\n`,
    },
    { id: "item_7", type: "error", message: bad },
  ];
  return items.map((item) => ({ type: "item.ended", item }));
}
