import { mkdtempDisposable, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPlanFile, readPlan, savePlan } from "@unroll/use-cases/plan";
import { expect, test } from "vitest";

test("the plan of an answer begins at its heading, and an answer without one never replaces a plan", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-plan-test-"));
  const file = findPlanFile(folder.path, "thread");
  expect(file).toBe(join(folder.path, "plans", "thread.md"));
  expect(await readPlan(file)).toBeNull();
  expect(await savePlan(file, "First the parser, then the tests.")).toBe(true);
  expect(await readPlan(file)).toBe("First the parser, then the tests.");
  expect(await savePlan(file, "Which parser?")).toBe(false);
  expect(await savePlan(file, "Here it is.\n\n# Plan: the parser\n1. Read it.")).toBe(true);
  expect(await readFile(file, "utf8")).toBe("# Plan: the parser\n1. Read it.");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
