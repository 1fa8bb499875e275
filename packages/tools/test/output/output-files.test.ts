import type { CommandOutcome, CommandOutput, ContentPart } from "@unroll/protocol";
import { type CommandRunner, createShellCommandTool, defineTool } from "@unroll/tools";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import {
  captured,
  createFakeOutputFiles,
  createFakeRunner,
  createGate,
  createPorts,
  createRuntime,
  exited,
  type FakeOutputFiles,
  functionCall,
  outputText,
  runCalls,
} from "../fake-ports.ts";

const numbers = Array.from({ length: 2_000 }, (_none, index) => `line ${index + 1}\n`).join("");

async function show(
  runner: CommandRunner,
  outputFiles: FakeOutputFiles | undefined,
  outputTokens = 200,
): Promise<string> {
  const tool = createShellCommandTool({ ...createPorts(), runner, ...(outputFiles && { outputFiles }) });
  const runtime = createRuntime([tool], { outputTokens });
  return outputText(await runCalls(runtime, [functionCall("shell_command", { command: "x" })]));
}

describe("a command's long output", () => {
  test("is saved whole in a file, and the model gets its path", async () => {
    const files = createFakeOutputFiles();
    const text = await show(createFakeRunner(exited(numbers)), files);
    expect(text).toMatch(
      /^Exit code: 0\nWall time: 1\.2 seconds\nTotal output lines: 2000\nWhole output: \/state\/output-1\.txt\nOutput:\nline 1\n/,
    );
    expect([...files.texts]).toEqual([["/state/output-1.txt", numbers]]);
    expect(files.openPaths.size).toBe(0);
  });

  test("that fits makes no file", async () => {
    const files = createFakeOutputFiles();
    expect(await show(createFakeRunner(exited("short\n")), files)).toBe(
      "Exit code: 0\nWall time: 1.2 seconds\nOutput:\nshort\n",
    );
    expect(files.texts.size).toBe(0);
  });

  test("that fits, but not with the lines around it, gets its file, too", async () => {
    const files = createFakeOutputFiles();
    const text = await show(createFakeRunner(exited("x".repeat(790))), files);
    expect(text).toContain("Whole output: /state/output-1.txt\n");
    expect(files.texts.get("/state/output-1.txt")).toBe("x".repeat(790));
  });

  test("that is too long for its file says how much of it is there", async () => {
    const text = await show(createFakeRunner(exited(numbers)), createFakeOutputFiles(1_000));
    expect(text).toContain("Total output lines: 2000\nOutput, its first 1000 bytes: /state/output-1.txt\nOutput:\n");
  });

  test("is cut even if no file can be opened", async () => {
    const none = { texts: new Map<string, string>(), openPaths: new Set<string>(), open: async () => null };
    for (const files of [none, undefined]) {
      expect(await show(createFakeRunner(exited(numbers)), files)).toContain(
        "Total output lines: 2000\nOutput:\nline 1\n",
      );
    }
  });

  test("of a second run outside the sandbox is the one whose file the model gets", async () => {
    const files = createFakeOutputFiles();
    const denial = { kind: "filesystem", confidence: "likely", reason: "Not there." } as const;
    const runner: CommandRunner = {
      async *run({ confinement }): AsyncGenerator<CommandOutput, CommandOutcome> {
        const text = confinement === "none" ? numbers : "stopped\n".repeat(200);
        yield { type: "output", stream: "stdout", text };
        const ended = { type: "exited", signal: null, durationMs: 1, output: captured(text) } as const;
        return confinement === "none" ? { ...ended, exitCode: 0 } : { ...ended, exitCode: 1, denial };
      },
    };
    const gate = createGate((call) => ({
      type: "run",
      confinement: call.type === "command" && call.denial !== null ? "none" : "policy",
    }));
    const tool = createShellCommandTool({ ...createPorts(), runner, outputFiles: files });
    const runtime = createRuntime([tool], { outputTokens: 200, gate });
    const text = outputText(await runCalls(runtime, [functionCall("shell_command", { command: "x" })]));
    expect(text).toContain("Whole output: /state/output-2.txt\n");
    expect(files.texts.get("/state/output-2.txt")).toBe(numbers);
  });
});

describe("any tool's long output", () => {
  async function say(output: string | readonly ContentPart[], files: FakeOutputFiles) {
    const tool = defineTool({
      name: "say",
      description: "",
      input: z.strictObject({}),
      concurrency: "shared",
      run: async () => ({ output }),
    });
    const runtime = createRuntime([tool], { outputTokens: 200, outputFiles: files });
    const [item] = (await runCalls(runtime, [functionCall("say", {})])).items;
    return item;
  }

  test("begins with where it lies whole", async () => {
    const files = createFakeOutputFiles();
    expect(await say(numbers, files)).toMatchObject({
      output: expect.stringMatching(/^Whole output: \/state\/output-1\.txt\nline 1\n/),
    });
    expect([...files.texts.values()]).toEqual([numbers]);
    expect(files.openPaths.size).toBe(0);
  });

  test("in parts has its text in one file", async () => {
    const files = createFakeOutputFiles();
    const parts = [
      { type: "input_text", text: "a".repeat(500) },
      { type: "input_image", image_url: "data:," },
      { type: "input_text", text: "b".repeat(500) },
    ] as const;
    expect(await say(parts, files)).toMatchObject({
      output: [
        { type: "input_text", text: "Whole output: /state/output-1.txt\n" },
        { type: "input_text", text: "a".repeat(500) },
        { type: "input_image" },
        { type: "input_text", text: expect.stringMatching(/^b+\n\[\.\.\. left out here/) },
      ],
    });
    expect([...files.texts.values()]).toEqual([`${"a".repeat(500)}\n\n${"b".repeat(500)}`]);
  });

  test("that fits is left as it is", async () => {
    const files = createFakeOutputFiles();
    expect(await say("short", files)).toMatchObject({ output: "short" });
    expect(files.texts.size).toBe(0);
  });
});
