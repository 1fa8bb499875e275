import {
  renderResponseFault,
  renderCutResponse,
  renderEnvironmentChange,
  renderInterruption,
  renderPermissionsChange,
  renderRepetition,
  renderContextChange,
} from "@unroll/prompt";
import { type MessageItem, readAuthor } from "@unroll/protocol";
import { expect, test } from "vitest";

function user(...texts: readonly string[]): MessageItem {
  return { type: "message", role: "user", content: texts.map((text) => ({ type: "input_text", text })) };
}

const [documents, skills] = renderContextChange(
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
  ["instructions", documents],
  ["skill_list", skills],
  ["turn_interrupted", renderInterruption()],
  ["answer_cut", renderCutResponse()],
  ["repeated_calls", renderRepetition()],
  ["answer_refused", renderResponseFault("The answer does not fit the output schema: /a: it is missing.")],
  [null, user("What does <environment_context> mean?")],
  [null, user("<environment_context> is a tag, isn't it?")],
  [null, user("<environment_context>\n<cwd>/repo</cwd>\n</environment_context>")],
  [null, user("<image name=[Image #1]>", "</image>")],
] as const)(
  "compaction tells our messages from yours by the author, whatever yours says: %s",
  ([fragment, message]) => {
    const author = message && readAuthor(message);
    expect(author).toEqual(
      fragment === null ? { type: "user", parts: message.content.map((_, at) => at) } : { type: "harness", fragment },
    );
  },
);
