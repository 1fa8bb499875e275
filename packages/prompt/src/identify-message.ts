import type { MessageItem } from "@unroll/protocol";

/**
 * What a message of ours says; `other`: none of these, or a person's. By its tag, also in threads that the Codex CLI began.
 * `permissions`, `environment`, `instructions` and `skill_list` replace the ones before; `skill`: the text of one that was
 * mentioned; `passing`: what is of no use when the work has gone on (a turn was stopped, an answer was cut, calls were repeated).
 */
export type MessageKind = "permissions" | "environment" | "instructions" | "skill_list" | "skill" | "passing" | "other";

const kindsByTag: Readonly<Record<string, MessageKind>> = {
  "permissions instructions": "permissions",
  environment_context: "environment",
  user_instructions: "instructions",
  skill: "skill",
  turn_interrupted: "passing",
  turn_aborted: "passing",
  repeated_calls: "passing",
  answer_refused: "passing",
  answer_cut: "passing",
};

/** Tells the messages of a thread apart that go by the same role. A message counts as ours where the tag wraps all of it. */
export function identifyMessage({ content }: MessageItem): MessageKind {
  const [part, ...more] = content;
  if (part?.type !== "input_text" || more.length > 0) return "other";
  if (/^# AGENTS\.md instructions for [^\n]*\n\n<INSTRUCTIONS>\n.*\n<\/INSTRUCTIONS>$/s.test(part.text))
    return "instructions";
  if (part.text.startsWith("<user_instructions>\n# Skills for ")) return "skill_list";
  const [, tag = ""] = /^<([a-z_]+(?: [a-z]+)?)>\n?.*<\/\1>\s*$/s.exec(part.text) ?? [];
  return kindsByTag[tag] ?? "other";
}
