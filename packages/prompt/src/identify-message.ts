import { type MessageItem, readAuthor } from "@unroll/protocol";

/**
 * What a message of the harness says; `other`: none of these, or not the harness's.
 * `permissions`, `environment`, `instructions` and `skill_list` replace the ones before; `skill`: the text of one that was
 * mentioned; `passing`: of no use when the work has gone on (a turn was stopped, an answer was cut, calls were repeated).
 */
export type MessageKind = "permissions" | "environment" | "instructions" | "skill_list" | "skill" | "passing" | "other";

const kinds: Readonly<Record<string, MessageKind>> = {
  permissions: "permissions",
  environment: "environment",
  instructions: "instructions",
  skill_list: "skill_list",
  skill: "skill",
  turn_interrupted: "passing",
  repeated_calls: "passing",
  answer_refused: "passing",
  answer_cut: "passing",
};

/** Tells the messages of a thread apart that go by the same role, by who wrote them. */
export function identifyMessage(message: MessageItem): MessageKind {
  const author = readAuthor(message);
  return author.type === "harness" ? (kinds[author.fragment] ?? "other") : "other";
}
