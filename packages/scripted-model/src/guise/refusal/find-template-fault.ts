import type { JsonObject } from "../../json.ts";
import type { RequestBody } from "./read-request-body.ts";

/**
 * What a model's chat template asks of a conversation. `system_first`: one system message, at the beginning (Qwen 3.5's).
 * `alternating`: user and assistant in turn, where calls and their results do not count (Mistral's). `any`: nothing.
 */
export type TemplateRule = "any" | "system_first" | "alternating";

interface ChatMessage {
  readonly role: string;
  readonly hasCalls: boolean;
}

/** The words with which the template refuses the conversation; null: it takes it. */
export function findTemplateFault(rule: TemplateRule, body: RequestBody): string | null {
  const messages = toChat(body);
  switch (rule) {
    case "any":
      return null;
    case "system_first":
      return messages.slice(1).some(({ role }) => role === "system")
        ? "System message must be at the beginning."
        : null;
    case "alternating": {
      const own = messages.slice(messages[0]?.role === "system" ? 1 : 0);
      const counted = own.filter(({ role, hasCalls }) => role !== "tool" && !hasCalls);
      return counted.some(({ role }, index) => (role === "user") !== (index % 2 === 0))
        ? "After the optional system message, conversation roles must alternate user/assistant/user/assistant/..."
        : null;
    }
  }
}

/** The conversation as a template is given it: one message of the assistant for all that it said in a row. */
function toChat({ fields, items }: RequestBody): readonly ChatMessage[] {
  const messages: ChatMessage[] = "instructions" in fields ? [{ role: "system", hasCalls: false }] : [];
  for (const item of items) {
    const message = toChatMessage(item);
    const last = messages.at(-1);
    if (last?.role !== "assistant" || message.role !== "assistant") messages.push(message);
    else if (message.hasCalls) messages.splice(-1, 1, message);
  }
  return messages;
}

function toChatMessage({ type, role }: JsonObject): ChatMessage {
  if (type === "function_call") return { role: "assistant", hasCalls: true };
  if (type === "function_call_output") return { role: "tool", hasCalls: false };
  if (type === "reasoning") return { role: "assistant", hasCalls: false };
  return { role: role === "developer" ? "system" : String(role), hasCalls: false };
}
