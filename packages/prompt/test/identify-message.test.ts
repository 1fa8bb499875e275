import {
  identifyMessage,
  renderAnswerFault,
  renderCutAnswer,
  renderEnvironmentChange,
  renderInterruption,
  renderPermissionsChange,
  renderRepetition,
  renderStandingChange,
} from "@unroll/prompt";
import type { MessageItem } from "@unroll/protocol";
import { expect, test } from "vitest";

function user(...texts: readonly string[]): MessageItem {
  return { type: "message", role: "user", content: texts.map((text) => ({ type: "input_text", text })) };
}

const [documents, skills] = renderStandingChange(
  { developerInstructions: "", documents: "Use tabs.", skills: "- a: b" },
  { cwd: "/repo", changed: new Set(["documents", "skills"]) },
);

const today = { date: "2026-11-23", timeZone: "Europe/Berlin" };

test.for([
  [
    "permissions",
    renderPermissionsChange({ sandboxPolicy: { mode: "danger-full-access" }, approvalPolicy: "never" } as never),
  ],
  ["environment", renderEnvironmentChange({ cwd: "/repo", shellName: "bash", today })],
  ["environment", renderEnvironmentChange({ cwd: "/repo", shellName: "bash" })],
  ["environment", user("<environment_context>\n<cwd>/repo</cwd>\n<shell>bash</shell>\n</environment_context>")],
  ["instructions", documents],
  ["instructions", user("<user_instructions>\n# AGENTS.md instructions for /repo\n\nUse tabs.\n</user_instructions>")],
  ["instructions", user("# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>")],
  ["skill_list", skills],
  ["skill", user("<skill>\n<name>a</name>\nHow.\n</skill>")],
  ["passing", renderInterruption()],
  ["passing", renderCutAnswer()],
  ["passing", renderRepetition()],
  ["passing", renderAnswerFault("The answer does not fit the output schema: /a: it is missing.")],
  ["passing", user("<turn_aborted>\nThe user stopped it.\n</turn_aborted>")],
  ["other", user("What does <environment_context> mean?")],
  ["other", user("<environment_context> is a tag, isn't it?")],
  ["other", user("<image name=[Image #1]>", "</image>")],
] as const)("a message of ours is told from a person's by the tag around all of it: %s", ([kind, message]) => {
  expect(message && identifyMessage(message)).toBe(kind);
});
