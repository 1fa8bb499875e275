import type { CapturedOutput, CommandOutcome } from "@unroll/protocol";
import { createShellCommandTool, defineTool } from "@unroll/tools";
import { anyCharacter } from "@unroll/text/fixture/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import {
  captured,
  createFakeRunner,
  createPorts,
  createRuntime,
  exited,
  functionCall,
  outputText,
  runCalls,
} from "../fake-ports.ts";

const byteLength = (text: string) => new TextEncoder().encode(text).length;
const marker = /^\[\.\.\. left out here: (\d+) lines, (\d+) bytes, about (\d+) tokens \.\.\.\]$/m;

async function show(outcome: CommandOutcome, outputTokens = 10_000): Promise<string> {
  const tool = createShellCommandTool({ ...createPorts(), runner: createFakeRunner(outcome) });
  const runtime = createRuntime([tool], { outputTokens });
  return outputText(await runCalls(runtime, [functionCall("shell_command", { command: "x" })]));
}

async function showPlain(text: string, outputTokens: number): Promise<string> {
  const tool = defineTool({
    name: "say",
    description: "",
    input: z.strictObject({}),
    concurrency: "shared",
    run: async () => ({ output: text }),
  });
  return outputText(await runCalls(createRuntime([tool], { outputTokens }), [functionCall("say", {})]));
}

describe("long output", () => {
  const numbers = Array.from({ length: 2_000 }, (_none, index) => `line ${index + 1}\n`).join("");

  test("loses its middle between lines, and says how much that is", async () => {
    const text = await show(exited(numbers), 200);
    const [, lines, bytes, tokens] = marker.exec(text) ?? [];
    expect(text).toMatch(/^Exit code: 0\nWall time: 1\.2 seconds\nTotal output lines: 2000\nOutput:\nline 1\n/);
    expect(text).toMatch(/\nline \d+\n\[\.\.\. .* \.\.\.\]\nline \d+\n/);
    expect(text.endsWith("line 2000\n")).toBe(true);
    const shown = text.match(/^line \d+$/gm) ?? [];
    expect(Number(lines) + shown.length).toBe(2_000);
    expect(Number(bytes)).toBeGreaterThan(byteLength(numbers) - 800);
    expect(Number(tokens)).toBe(Math.ceil(Number(bytes) / 4));
    expect(byteLength(text)).toBeGreaterThan(700);
  });

  test("of which the runner had left out a part counts that part too", async () => {
    const output: CapturedOutput = {
      text: `${numbers}[... 900000 bytes left out ...]\n${numbers}`,
      totalBytes: 1_000_000,
      totalLines: 100_000,
      omittedBytes: 900_000,
      omittedLines: 90_000,
    };
    const text = await show({ type: "exited", exitCode: 0, signal: null, durationMs: 1, output }, 200);
    const [, lines, bytes] = marker.exec(text) ?? [];
    const shown = text.match(/^line \d+$/gm) ?? [];
    expect(text).toContain("Total output lines: 100000\n");
    expect(Number(lines) + shown.length).toBe(100_000);
    expect(Number(bytes)).toBeGreaterThan(999_000);
  });

  test("in one line is cut between characters", async () => {
    const text = await show(exited("é🙂".repeat(1_000)), 100);
    expect(text).toMatch(/\nOutput:\n(é🙂)+é?\n\[.*\]\n🙂?(é🙂)+$/u);
  });

  test("that the runner cut says so even where the rest fits", async () => {
    const output = {
      ...captured("a\n[... 5 bytes left out ...]\nb\n"),
      totalBytes: 9,
      totalLines: 4,
      omittedBytes: 5,
      omittedLines: 2,
    };
    const text = await show({ type: "exited", exitCode: 0, signal: null, durationMs: 1, output });
    expect(text).toContain("Total output lines: 4\nOutput:\na\n[... 5 bytes left out ...]\nb\n");
  });

  test("of any tool is cut the same way, over all its parts", async () => {
    const tool = defineTool({
      name: "parts",
      description: "",
      input: z.strictObject({}),
      concurrency: "shared",
      run: async () => ({
        output: [
          { type: "input_text", text: "x".repeat(300) },
          { type: "input_image", image_url: "data:," },
          { type: "input_text", text: "y".repeat(300) },
        ],
      }),
    });
    const { items } = await runCalls(createRuntime([tool], { outputTokens: 100 }), [functionCall("parts", {})]);
    expect(items).toMatchObject([
      {
        output: [
          { text: "x".repeat(300) },
          { type: "input_image", image_url: "data:," },
          { text: expect.stringMatching(/^y+\n\[.*\]\ny+$/) },
        ],
      },
    ]);
  });
});

describe("for any output", () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 2_000 }),
    fc.string({ unit: "grapheme", maxLength: 2_000 }),
    fc.array(fc.string({ maxLength: 60 }), { maxLength: 100 }).map((lines) => lines.join("\n")),
    fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 500 }).map((units) => String.fromCharCode(...units)),
  );
  const tokens = fc.integer({ min: 0, max: 300 });
  const denial = { kind: "network", confidence: "likely", reason: "The network is off." } as const;

  test("the cap holds for commands, and the text is well-formed", async () => {
    await fc.assert(
      fc.asyncProperty(text, tokens, fc.boolean(), async (output, outputTokens, isDenied) => {
        const outcome = { ...exited(output), ...(isDenied && { denial }) };
        const shown = await show(outcome, outputTokens);
        expect(byteLength(shown)).toBeLessThanOrEqual(outputTokens * 4);
        expect(shown.isWellFormed()).toBe(true);
        // oxlint-disable-next-line no-control-regex -- they are what must not be there
        expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      }),
      { numRuns: 300 },
    );
  });

  test("the cap holds for every tool, and what fits is not touched", async () => {
    await fc.assert(
      fc.asyncProperty(text, tokens, async (output, outputTokens) => {
        const shown = await showPlain(output, outputTokens);
        expect(byteLength(shown)).toBeLessThanOrEqual(outputTokens * 4);
        const fits = byteLength(output) <= outputTokens * 4;
        expect(shown === output.toWellFormed()).toBe(fits);
      }),
      { numRuns: 300 },
    );
  });
});
