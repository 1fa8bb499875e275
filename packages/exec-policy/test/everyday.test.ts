import { readFileSync } from "node:fs";
import { join } from "node:path";
import { judgeCommand, mergeRules } from "@unroll/exec-policy";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../conformance/exec-policy");

interface EverydayCommand {
  readonly script: string;
  /** A person's judgement of the command: it only reads, or it needs approval. */
  readonly person: "reads" | "asks";
  /** Why it is judged in another way; absent where it is not. */
  readonly why?: string;
}

function readCase<T>(path: string): readonly T[] {
  return JSON.parse(readFileSync(join(root, path), "utf8")) as readonly T[];
}

function judge(script: string): "reads" | "asks" {
  const git = { runsPrograms: false, hasSubmodules: false };
  const context = { cwd: "/home/ana/code/project", home: "/home/ana", git };
  const verdict = judgeCommand({ script, shell: "bash" }, mergeRules([]), context);
  return verdict.decision === "allow" ? "reads" : "asks";
}

const everyday = readCase<EverydayCommand>("033-everyday-commands/everyday.json");

test("no everyday command that a person would be asked about is said to only read", () => {
  const asked = everyday.filter(({ person }) => person === "asks");
  expect(asked.length).toBeGreaterThan(50);
  expect(asked.filter(({ script }) => judge(script) === "reads")).toEqual([]);
});

test("every everyday command is judged as a person would, except those that give a reason: at most one in twenty", () => {
  const others = everyday.filter(({ script, person }) => judge(script) !== person);
  expect(others.map(({ script }) => script)).toEqual(
    everyday.filter(({ why }) => why !== undefined).map(({ script }) => script),
  );
  expect(everyday.length).toBeGreaterThanOrEqual(200);
  expect(others.length / everyday.length).toBeLessThanOrEqual(0.05);
});

test.each(readCase<string>("034-hostile-reads/hostile.json"))("%j is not said to only read", (script) => {
  expect(judge(script)).toBe("asks");
});
