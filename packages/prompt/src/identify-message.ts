import type { MessageItem } from "@unroll/protocol";

/**
 * What a message of ours says; `other`: none of these, or a person's. By its tag, also in threads that the Codex CLI began.
 * `permissions` and `environment` replace the ones before.
 */
export type MessageKind = "permissions" | "environment" | "instructions" | "skill" | "interruption" | "other";

const kindsByTag: Readonly<Record<string, MessageKind>> = {
  "permissions instructions": "permissions",
  environment_context: "environment",
  user_instructions: "instructions",
  skill: "skill",
  turn_interrupted: "interruption",
  turn_aborted: "interruption",
};

/** Tells the messages of a thread apart that go by the same role. A message counts as ours where the tag wraps all of it. */
export function identifyMessage({ content }: MessageItem): MessageKind {
  const [part, ...more] = content;
  if (part?.type !== "input_text" || more.length > 0) return "other";
  if (/^# AGENTS\.md instructions for [^\n]*\n\n<INSTRUCTIONS>\n.*\n<\/INSTRUCTIONS>$/s.test(part.text))
    return "instructions";
  const [, tag = ""] = /^<([a-z_]+(?: [a-z]+)?)>\n?.*<\/\1>\s*$/s.exec(part.text) ?? [];
  return kindsByTag[tag] ?? "other";
}
