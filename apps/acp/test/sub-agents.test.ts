import { expect, test } from "vitest";
import { openAcpWorld } from "./acp-world.ts";

const text = (said: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text: said }] });
const isGo = (raw: Uint8Array): boolean => raw.toString().includes('"text":"Go"');
const any = { number: expect.any(Number) as number, text: expect.any(String) as string };

test("a sub-agent is a tool call that shows its state and last action while it works, its report at the end, and who asks", async () => {
  const steps = new Map<unknown, number>();
  await using world = await openAcpWorld(
    {
      respond({ headers, raw }) {
        const step = steps.get(headers["thread-id"]) ?? 0;
        steps.set(headers["thread-id"], step + 1);
        if (isGo(raw)) {
          const task = { task_name: "look", message: "Look." };
          return step === 0 ? { items: [{ call: "spawn_agent", arguments: task }] } : text("Done.");
        }
        if (raw.toString().includes('"text":"Look."')) {
          const task = { task_name: "dig", message: "Dig." };
          return step === 0 ? { items: [{ call: "spawn_agent", arguments: task }] } : text("Found three.");
        }
        return step === 0 ? { items: [{ call: "exec_command", arguments: { cmd: "touch made" } }] } : text("Dug.");
      },
    },
    'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"\n[agents]\nenabled = true\nmax_depth = 2\n',
  );
  const editor = await world.open({ permit: ({ options }) => options[0]?.optionId ?? null });
  const { sessionId } = await editor.begin();
  await editor.prompt(sessionId, "Go");
  expect(editor.asked.map(({ toolCall: { title, content } }) => [title, content?.at(-1)])).toEqual([
    [
      "Sub-agent look, dig: Run touch made",
      { type: "content", content: { type: "text", text: expect.stringContaining("(Asked by: sub-agent look, dig, ") } },
    ],
  ]);
  const calls = editor.updates.flatMap((update) =>
    update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update" ? [update] : [],
  );
  expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(1);
  const texts = calls.map(({ content }) =>
    (content ?? []).map((each) => (each.type === "content" && each.content.type === "text" ? each.content.text : "")),
  );
  const seen = texts.map(([state = ""]) =>
    state
      .replaceAll(/[\d.,]+k? tokens( \([^)]* cached\))?/g, "N tokens")
      .replaceAll("```", "")
      .trim(),
  );
  expect(seen).toContain("running · spawn_agent · N tokens\n- dig: running · touch made · N tokens");
  expect(calls.at(-1)).toMatchObject({
    title: "Sub-agent look",
    status: "completed",
    rawInput: { message: "Look." },
    rawOutput: {
      agent: {
        thread_id: any.text,
        name: "look",
        state: "completed",
        tokens: any.number,
        cost: null,
        agents: [{ name: "dig", state: "completed", last_action: "touch made" }],
      },
    },
  });
  expect(seen.at(-1)).toBe("completed · N tokens\n- dig: completed · N tokens");
  expect(texts.at(-1)?.[1]).toMatch(/Found three\.\n```$/);
});
