import { readdir } from "node:fs/promises";
import { openModelHome } from "@unroll/program/fixture/model-home";
import { expect, test } from "vitest";
import { asked, begin, open, origin, say, silent, text } from "./host-world.ts";

test("plan mode holds for sub-agents, also for one that was started before it", async () => {
  const input = "*** Begin Patch\n*** Add File: made\n+x\n*** End Patch";
  const given = { task_name: "work", message: "Work.", wait: false };
  const planning = Promise.withResolvers<void>();
  const steps = new Map<unknown, number>();
  await using home = await openModelHome(
    {
      async respond({ headers, raw }) {
        const step = steps.get(headers["thread-id"]) ?? 0;
        steps.set(headers["thread-id"], step + 1);
        if (!raw.toString().includes('"text":"Work."'))
          return step === 0 ? { items: [{ call: "spawn_agent", arguments: given }] } : text("It works.");
        await planning.promise;
        return step === 0 ? { items: [{ custom: "apply_patch", input }] } : text("Tried.");
      },
    },
    "agents.enabled = true",
  );
  await using host = open(home);
  const thread = await begin(host);
  await say(thread, "a");
  await thread.setPlanMode(true);
  planning.resolve();
  await expect.poll(() => JSON.stringify(home.model.requests.at(-1)?.input)).toContain("Plan mode is on");
  expect(await readdir(home.work)).toEqual([]);
});

test("a thread stays awake until its sub-agents in the background end, then sleeps and keeps their reports", async () => {
  const given = { task_name: "work", message: "Work.", wait: false };
  const isAsked = Promise.withResolvers<void>();
  const working = Promise.withResolvers<void>();
  await using home = await openModelHome(
    {
      async respond({ raw, input }) {
        if (!raw.toString().includes('"text":"Work."'))
          return input.length < 5 ? { items: [{ call: "spawn_agent", arguments: given }] } : text("Go.");
        isAsked.resolve();
        await working.promise;
        return text("Done.");
      },
    },
    "agents.enabled = true",
  );
  await using host = open(home, 0);
  const thread = await begin(host);
  await say(thread, "a");
  await isAsked.promise;
  await begin(host); // whatever is idle now sleeps
  await using other = open(home);
  const stored = await other.load(thread.id);
  const openThere = (): ReturnType<typeof other.open> =>
    other.open({ origin: { type: "resumed", stored }, asked: {}, client: silent });
  await expect(openThere()).rejects.toMatchObject({ code: "thread_locked" });
  working.resolve();
  await expect.poll(() => openThere().catch(() => null)).not.toBeNull();
  await other.close(thread.id);
  await say(thread, "b");
  expect(JSON.stringify(home.model.requests.at(-1)?.input)).toMatch(/Sub-agent work \(thread [0-9a-f-]+\): completed/);
});

test("an explorer has the small model, also in a thread with a requested model", async () => {
  const look = { call: "spawn_agent", arguments: { task_name: "look", message: "Look.", agent_type: "explorer" } };
  await using home = await openModelHome(
    {
      respond({ raw, input }) {
        if (raw.toString().includes('"text":"Look."')) return text("Seen.");
        return input.at(-1)?.["type"] === "function_call_output" ? text("End.") : { items: [look] };
      },
    },
    'agents.enabled = true\nagents.small_model = "gpt-5-mini"',
  );
  await using host = open(home);
  const { thread } = await host.open({ origin, asked: { ...asked, model: "gpt-5" }, client: silent });
  expect(await say(thread, "a")).toMatchObject({ finalMessage: "End." });
  expect(home.model.requests.map(({ body }) => body["model"])).toEqual(["gpt-5", "gpt-5-mini", "gpt-5"]);
});
