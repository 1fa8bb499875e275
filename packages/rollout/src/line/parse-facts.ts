import { type JsonFields, type ThreadSummary, toFields } from "@unroll/protocol";
import { shortenText } from "@unroll/text";
import { parseUsage } from "./parse-usage.ts";

/** Facts about a thread that a line can have. */
export type LineFacts = Partial<
  Pick<
    ThreadSummary,
    | "createdAt"
    | "cwd"
    | "branch"
    | "name"
    | "title"
    | "model"
    | "provider"
    | "usage"
    | "forkedFrom"
    | "parent"
    | "source"
  >
>;

const titleCharacters = 80;
const decoder = new TextDecoder();

/** Reads a `session_meta`, a `turn_context`, an `event_msg` or a note of ours. Empty if the line cannot be read. */
export function parseFacts(line: Uint8Array): LineFacts {
  try {
    const { type, payload } = toFields(JSON.parse(decoder.decode(line)));
    switch (type) {
      case "session_meta":
        return toOpening(toFields(payload));
      case "turn_context":
        return only({ model: toText(toFields(payload)["model"]) });
      case "event_msg":
        return toSaid(toFields(payload));
      case "unroll":
        return toName(toFields(payload));
    }
    return {};
  } catch {
    return {}; // loading the thread reports it
  }
}

/** How many tokens of input the request had that a `token_count` tells; null: it does not say. */
export function parseInputTokens(line: Uint8Array): number | null {
  try {
    const { payload } = toFields(JSON.parse(decoder.decode(line)));
    return parseUsage(toFields(toFields(payload)["info"])["last_token_usage"])?.input_tokens ?? null;
  } catch {
    return null;
  }
}

function toOpening(meta: JsonFields): LineFacts {
  const { timestamp, cwd, git, model, model_provider, forked_from_id, forked_turns, source } = meta;
  const threadId = toText(forked_from_id);
  const turns = typeof forked_turns === "number" ? forked_turns : null;
  return {
    forkedFrom: threadId === null ? null : { threadId, turns, title: null },
    createdAt: Date.parse(toText(timestamp) ?? "") || 0,
    cwd: toText(cwd),
    branch: toText(toFields(git)["branch"]),
    model: toText(model),
    provider: toText(model_provider),
    parent: toParent(toFields(toFields(source)["subagent"])),
    source: "subagent" in toFields(source) ? "subAgent" : toText(source),
  };
}

/** Null: none started it, or it does not say which one, such as a review of the Codex CLI. */
function toParent({ thread_spawn }: JsonFields): NonNullable<LineFacts["parent"]> | null {
  const { parent_thread_id, depth } = toFields(thread_spawn);
  const threadId = toText(parent_thread_id);
  return threadId === null ? null : { threadId, depth: typeof depth === "number" ? depth : 1 };
}

function toSaid(payload: JsonFields): LineFacts {
  switch (payload["type"]) {
    case "user_message":
      return only({ title: toTitle(toText(payload["message"])) });
    case "item_completed": {
      const { type, content } = toFields(payload["item"]);
      const parts = type === "UserMessage" && Array.isArray(content) ? content : [];
      return only({ title: toTitle(parts.map((part) => toText(toFields(part)["text"]) ?? "").join("")) });
    }
    case "token_count":
      return only({ usage: parseUsage(toFields(payload["info"])["total_token_usage"]) });
  }
  return {};
}

/** The last one counts: one that was taken away, too. */
function toName({ type, key, value }: JsonFields): LineFacts {
  return type === "note" && key === "name" ? { name: toText(value) } : {};
}

/** Only the facts that the line has; the others stay unchanged. */
function only(facts: LineFacts): LineFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}

function toTitle(said: string | null): string | null {
  const text = (said ?? "").trim().replaceAll(/\s+/g, " ");
  return text === "" ? null : shortenText(text, titleCharacters);
}

function toText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
