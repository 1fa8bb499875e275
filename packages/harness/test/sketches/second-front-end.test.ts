// A second front end on the seams alone: an editor that follows a thread by its numbered events and answers as its person.
import type { NumberedEvent, Person, Question } from "@unroll/protocol";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd } from "../thread-world.ts";

/** An editor that gets one message for each event and answers questions by their item. */
function createEditor(): Person & { readonly messages: string[]; readonly questions: Question[] } {
  const questions: Question[] = [];
  return {
    messages: [],
    questions,
    takes: ["command.approval", "patch.approval"],
    async answer(question) {
      questions.push(question);
      return { type: "approved.once" };
    },
  };
}

function toMessage({ seq, event }: NumberedEvent): string {
  if ("item" in event) return `${seq} ${event.type} ${event.item.type}`;
  if ("question" in event) return `${seq} ${event.type} ${event.question}`;
  return `${seq} ${event.type}`;
}

test("an editor follows a thread that another program runs, and answers its question", async () => {
  const touch = { call: "exec_command", arguments: { cmd: "touch made", login: false } };
  await using world = await openThreadWorld({
    script: { turns: [{ items: [touch] }, { items: [{ text: "Done." }] }] },
  });
  const editor = createEditor();
  const thread = await world.openThread({ person: editor, config: ["approval_policy=untrusted"] });
  const following = (async (): Promise<void> => {
    for await (const event of thread.events())
      if (event.event.type !== "item.delta") editor.messages.push(toMessage(event));
  })();
  await runToEnd(thread, "Go");
  await thread[Symbol.asyncDispose]();
  await following;
  expect(editor.messages.map((message) => message.replace(/^\d+ /, ""))).toEqual([
    "thread.started",
    "turn.started",
    "input.received",
    "request.started",
    "request.completed",
    "item.started command_execution",
    "question.asked command.approval",
    "question.answered command.approval",
    "item.completed command_execution",
    "request.started",
    "item.completed agent_message",
    "request.completed",
    "turn.completed",
  ]);
  expect(editor.questions).toMatchObject([{ threadId: thread.id, itemId: "item_0", command: "touch made" }]);
});
