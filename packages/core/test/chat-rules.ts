import { expect } from "vitest";

type Fields = Readonly<Record<string, unknown>>;

/** A message as a chat template is given it: all that the assistant says and calls in a row is one. */
interface ChatMessage {
  readonly role: string;
  hasCalls: boolean;
}

function toChat(items: readonly Fields[]): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const { type, role } of items) {
    if (type === "function_call_output") {
      messages.push({ role: "tool", hasCalls: false });
      continue;
    }
    const isMessage = type === "message" && role !== "assistant";
    const last = messages.at(-1);
    const message = { role: isMessage ? String(role) : "assistant", hasCalls: type === "function_call" };
    if (message.role !== "assistant" || last?.role !== "assistant") messages.push(message);
    else last.hasCalls ||= message.hasCalls;
  }
  return messages;
}

/** The rule of Mistral's templates, behind the one system message, which is the instructions. */
export function expectTurns(items: readonly Fields[]): void {
  const counted = toChat(items).filter(({ role, hasCalls }) => role !== "tool" && !hasCalls);
  expect(counted.map(({ role }) => role)).toEqual(counted.map((_, index) => (index % 2 === 0 ? "user" : "assistant")));
}

/** The rule of Qwen's templates: no system message but the instructions. */
export function expectOneSystemText(items: readonly Fields[]): void {
  expect(items.filter(({ role }) => role === "developer" || role === "system")).toEqual([]);
}

/** The rules of a strict server that supports only messages, functions and readable reasoning. */
export function expectPlain(items: readonly Fields[], isOwn: (item: Fields) => boolean): void {
  expect(JSON.stringify(items)).not.toMatch(/[:,[]null[,}\]]/);
  for (const item of items) {
    switch (item["type"]) {
      case "message":
        if (item["role"] === "assistant")
          expect(item).toMatchObject({ status: expect.any(String), id: expect.any(String) });
        break;
      case "reasoning":
        if (!isOwn(item)) expect(item["content"]).not.toHaveLength(0);
        break;
      case "function_call":
        expect(JSON.parse(String(item["arguments"]))).toBeTypeOf("object");
        break;
      case "function_call_output":
        expect(item["output"]).toBeTypeOf("string");
        break;
      default:
        expect(isOwn(item)).toBe(true);
    }
  }
  expectCallsAnswered(items);
}

/** The calls of a response come first, then their outputs in the same order. */
function expectCallsAnswered(items: readonly Fields[]): void {
  const open: unknown[] = [];
  for (const { type, call_id } of items) {
    if (type === "function_call") open.push(call_id);
    else if (type === "function_call_output") expect(open.shift()).toBe(call_id);
    else if (type === "message") expect(open).toEqual([]);
  }
  expect(open).toEqual([]);
}
