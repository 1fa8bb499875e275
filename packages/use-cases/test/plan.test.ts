import { mkdtempDisposable, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPlanMode, savePlan, planInstructions, readPlan } from "@unroll/use-cases/plan";
import { expect, test } from "vitest";

test("the plan of an answer begins at its heading, and an answer without one never replaces a plan", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-plan-test-"));
  const file = join(folder.path, "plans", "thread.md");
  expect(await readPlan(file)).toBeNull();
  expect(await savePlan(file, "First the parser, then the tests.")).toBe(true);
  expect(await readPlan(file)).toBe("First the parser, then the tests.");
  expect(await savePlan(file, "Which parser?")).toBe(false);
  expect(await savePlan(file, "Here it is.\n\n# Plan: the parser\n1. Read it.")).toBe(true);
  expect(await readFile(file, "utf8")).toBe("# Plan: the parser\n1. Read it.");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("plan mode makes the sandbox read-only, refuses patches, and gives back what was before", async () => {
  const settings = { mode: "workspace-write", writableRoots: [] };
  const changes: unknown[] = [];
  const thread = {
    thread: { id: "1" },
    config: { codexHome: "/home", sandboxSettings: settings },
    change: (change: unknown) => void changes.push(change),
  } as unknown as ReturnType<Parameters<typeof createPlanMode>[0]>;
  const plan = createPlanMode(() => thread);
  const gate = plan.gate({ judge: async () => ({ type: "run", confinement: "sandbox" }) } as never);
  const judge = async (): Promise<string> => (await gate.judge({ type: "patch" } as never, {} as never)).type;
  expect([plan.isOn, plan.file, plan.added, await judge()]).toEqual([false, "/home/plans/1.md", [], "run"]);
  plan.set("on");
  expect(await judge()).toBe("declined");
  expect([plan.isOn, plan.added]).toEqual([true, [{ type: "text", text: planInstructions, isAdded: true }]]);
  plan.set("off");
  expect(changes).toEqual([{ sandboxSettings: { ...settings, mode: "read-only" } }, { sandboxSettings: settings }]);
  expect([plan.added, await judge()]).toEqual([[], "run"]);
});
