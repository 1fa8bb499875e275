import { createShellCommandTool } from "@unroll/tools";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  createFakeRunner,
  createPorts,
  createRuntime,
  exited,
  functionCall,
  outputText,
  runCalls,
} from "../fake-ports.ts";

/** A command's raw output as the model reads it. */
async function clean(raw: string): Promise<string> {
  const tool = createShellCommandTool({ ...createPorts(), runner: createFakeRunner(exited(raw)) });
  const text = outputText(await runCalls(createRuntime([tool]), [functionCall("shell_command", { command: "x" })]));
  return text.slice(text.indexOf("Output:\n") + "Output:\n".length);
}

test.for([
  ["colours", "\u001b[1;31mred\u001b[0m\n", "red\n"],
  ["cursor moves", "\u001b[2K\u001b[1Gdone\u001b[?25h", "done"],
  ["titles", "\u001b]0;my title\u0007text", "text"],
  ["links", "\u001b]8;;https://a.example/\u001b\\name\u001b]8;;\u001b\\", "name"],
  ["a title that never ends, but no further than its line", "\u001b]0;broken\nnext", "\nnext"],
  ["device control strings", "\u001bPq#0\u001b\\x", "x"],
  ["a sequence that was cut off", "text\u001b[", "text"],
  ["other escapes", "\u001b(B\u001b=\u001bMx", "x"],
  ["all but the last state of a progress line", "10%\r 50%\r100%\nok\n", "100%\nok\n"],
  ["a progress line that was wiped", "working\r\u001b[K", "working"],
  ["the carriage returns of CRLF", "a\r\nb\r\n", "a\nb\n"],
  ["what was typed over", "|\b/\b-\bdone", "done"],
  ["bold by overprinting", "N\bNA\bAM\bM", "NAM"],
  ["control characters but tab and line feed", "a\u0000\u0007\tb\u007f\u0085\n", "a\tb\n"],
  ["nothing of ordinary text", "naïve – 名前 🙂\n\n  indented\n", "naïve – 名前 🙂\n\n  indented\n"],
  ["a lone surrogate", "a\ud800b", "a\ufffdb"],
] as const)("takes out %s", async ([_what, raw, cleaned]) => {
  expect(await clean(raw)).toBe(cleaned);
});

test("keeps the number of lines, and cleans what is clean to itself", async () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom("\n", "\r", "\b", "\u001b[", "\u001b]", "\u0007", "m", "\u001b"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const raw = pieces.join("");
      const cleaned = await clean(raw);
      expect(cleaned.split("\n")).toHaveLength(raw.split("\n").length);
      expect(await clean(cleaned)).toBe(cleaned);
    }),
    { numRuns: 300 },
  );
});

test("is done in time linear in the output", async () => {
  for (const piece of ["\u001b", "\u001b[", "\u001b]", "\r", "\b", "x", "\u001b[1", "x\b"]) {
    expect((await clean(piece.repeat(100_000))).length).toBeLessThan(50_000);
  }
}, 5_000);
