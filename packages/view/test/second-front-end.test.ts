import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyThreadView, plainStyle, reduceThread } from "@unroll/view";
import { toSessionUpdates } from "./editor-sketch.ts";
import { createInlineTerminal } from "./front-end-sketch.ts";
import { turn } from "./turns.ts";

const options = { style: plainStyle, showReasoning: true, cwd: "/" };

test.for(["front-end-sketch.ts", "editor-sketch.ts"])("%s takes less than 60 lines", (file) => {
  expect(readFileSync(join(import.meta.dirname, file), "utf8").split("\n").length).toBeLessThan(60);
});

test("an inline terminal writes what is finished once, and redraws only the live region", () => {
  let screen: string[] = [];
  const feed = createInlineTerminal(options, (bytes) => {
    const frame =
      // oxlint-disable-next-line no-control-regex -- what the sketch writes
      /^\u001b\[\?2026h(?:\u001b\[(\d+)A\r\u001b\[J)?([\s\S]*)\u001b\[\?2026l$/.exec(bytes);
    const [, back = "0", text = ""] = frame ?? [];
    screen = [...screen.slice(0, screen.length - Number(back)), ...text.split("\n").slice(0, -1)];
  });
  const shown = turn.map((event) => {
    feed(event);
    return screen.join("\n");
  });
  expect(shown[7]).toBe("Let me look.\n⠋ $ ls\na.txt\nrunning · tokens: 100 in, 0 of them cached (0 %), 10 out");
  expect(shown.at(-1)).toBe(
    [
      "Let me look.",
      "$ ls\n  a.txt\n  exit 0",
      "• There is a.txt.",
      "tokens: 250 in, 0 of them cached (0 %), 15 out",
      "completed · tokens: 250 in, 0 of them cached (0 %), 15 out",
    ].join("\n"),
  );
});

test("an editor gets its updates from the difference of two views", () => {
  let view = emptyThreadView;
  const updates = turn.flatMap((event) => {
    const before = view;
    view = reduceThread(view, event);
    return toSessionUpdates(before, view);
  });
  const text = (kind: string): string =>
    updates
      .flatMap((update) => (update.sessionUpdate === kind ? [(update["content"] as { text: string }).text] : []))
      .join("");
  expect([text("agent_thought_chunk"), text("agent_message_chunk")]).toEqual(["Let me look.", "There is a.txt."]);
  expect(updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith("tool_call"))).toMatchObject([
    { sessionUpdate: "tool_call", title: "ls", status: "in_progress" },
    { sessionUpdate: "tool_call_update", status: "in_progress" },
    { sessionUpdate: "tool_call_update", status: "completed" },
  ]);
});
