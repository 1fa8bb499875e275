import { measureRow } from "@unroll/screen";
import { describe, expect, test } from "vitest";
import {
  renderCache,
  renderContext,
  renderFacts,
  renderStatusLine,
  type StatusFacts,
  type StatusSegment,
  statusSegments,
} from "@unroll/cells";
import { toTexts } from "./shown.ts";

const facts: StatusFacts = {
  model: "gpt-5-codex",
  effort: "high",
  cwd: "~/work/項目",
  branch: "main",
  sandbox: "workspace-write",
  approvals: "on-request",
  contextTokens: 92_000,
  contextWindow: 272_000,
  cachedTokens: 1_234_567,
  uncachedTokens: 45_678,
  costUsd: 0.1234,
  elapsedMs: 83_000,
};

function status(
  columns: number,
  segments: readonly StatusSegment[] = statusSegments,
  more: Partial<StatusFacts> = {},
): string | undefined {
  return toTexts([renderStatusLine({ ...facts, ...more }, segments, columns)])[0];
}

describe("the status line", () => {
  test("shows what is configured, in that order", () => {
    expect(status(200)).toBe(
      "gpt-5-codex high · ~/work/項目 · ⎇ main · workspace-write · ask on-request · 34% of 272k · 45.7k new, 1.2M cached · $0.123 · 1 min 23 s",
    );
    expect(status(200, ["context", "model"])).toBe("34% of 272k · gpt-5-codex high");
  });

  test("leaves out what matters least where it is narrow", () => {
    expect(status(80)).toBe("gpt-5-codex high · workspace-write · ask on-request · 34% of 272k · 1 min 23 s");
    expect(status(48)).toBe("gpt-5-codex high · workspace-write · 34% of 272k");
    expect(status(40)).toBe("workspace-write · 34% of 272k");
    expect(status(20, statusSegments, { sandbox: "danger-full-access" })).toBe("danger-full-access");
    expect(status(8)).toBe("workspa…");
    for (let columns = 1; columns < 160; columns += 1)
      expect(measureRow(renderStatusLine(facts, statusSegments, columns).spans)).toBeLessThanOrEqual(columns);
  });

  test("says nothing of what nobody knows", () => {
    const unknown = {
      effort: null,
      branch: null,
      contextTokens: null,
      cachedTokens: 0,
      uncachedTokens: 0,
      costUsd: null,
      elapsedMs: null,
    };
    expect(status(200, statusSegments, unknown)).toBe("gpt-5-codex · ~/work/項目 · workspace-write · ask on-request");
    expect(status(200, ["context"], { contextWindow: null })).toBe("92k in context");
  });
});

describe("a report", () => {
  test("of the context has each group with its parts, the largest first, and what is free", () => {
    const groups = [
      {
        name: "instructions",
        parts: [
          { name: "base", tokens: 4000 },
          { name: "AGENTS.md", tokens: 6000 },
        ],
      },
      { name: "tools", parts: Array.from({ length: 20 }, (_, at) => ({ name: `tool ${at}`, tokens: 100 })) },
    ];
    const lines = toTexts(renderContext({ window: 100_000, groups }, 30));
    expect(lines.slice(0, 7)).toEqual([
      "12k of 100k tokens (12%)",
      "",
      "instructions        10k   10%",
      "  AGENTS.md          6k    6%",
      "  base               4k    4%",
      "",
      "tools                2k    2%",
    ]);
    expect(lines.slice(-3)).toEqual(["  8 more            800   <1%", "", "free                88k   88%"]);
    expect(toTexts(renderContext({ window: null, groups }, 30))[0]).toBe("12k tokens in the prompt");
  });

  test("of the cache says why a request missed it", () => {
    const row = {
      request: 1,
      inputTokens: 9000,
      cachedTokens: 0,
      uncachedTokens: 9000,
      outputTokens: null,
      miss: null,
    };
    expect(
      toTexts(renderCache([row, { ...row, request: 2, miss: { cause: "the tools changed" } }], ["cost: $1"])),
    ).toEqual([
      " request   input  cached     new  output",
      "       1      9k       0      9k       ?",
      "       2      9k       0      9k       ?",
      "          the tools changed",
      "",
      "cost: $1",
    ]);
    expect(toTexts(renderCache([], ["no request yet"]))).toEqual(["no request yet"]);
  });

  test("of facts has two columns", () => {
    expect(
      toTexts(
        renderFacts([
          { name: "model", value: "gpt-5" },
          { name: "folder", value: "/a\n/b" },
        ]),
      ),
    ).toEqual(["model   gpt-5", "folder  /a", "        /b"]);
  });
});
