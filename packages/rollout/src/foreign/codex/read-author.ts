import { type ItemAuthor, type MessageItem, readTexts } from "@unroll/protocol";

/** Captures the tag; nothing for a text that begins with a title instead. */
const wrapped = /^(?:<([a-z_]+(?: [a-z]+)?)>.*<\/\1>\s*|# AGENTS\.md instructions(?: for |\n).*)$/s;

/** By its tag, what the Codex CLI calls it, and what we do. */
const fragments: Readonly<Record<string, string>> = {
  "permissions instructions": "permissions",
  environment_context: "environment",
  user_instructions: "instructions",
  turn_aborted: "turn_interrupted",
};

/**
 * The author of a user or developer message in a thread of the Codex CLI. Its own texts are wrapped in tags or begin
 * with a title.
 */
export function readCodexAuthor({ role, content }: MessageItem): ItemAuthor {
  const texts = readTexts(content);
  const found = wrapped.exec(texts[0] ?? "");
  if (found !== null && texts.every((text) => wrapped.test(text)))
    return { type: "harness", fragment: toFragment(found[1]) };
  if (role !== "user") return { type: "harness", fragment: "other" };
  return { type: "user", parts: texts.flatMap((text, index) => (wrapped.test(text) ? [] : [index])) };
}

function toFragment(tag: string | undefined): string {
  return tag === undefined ? "instructions" : (fragments[tag] ?? tag);
}
