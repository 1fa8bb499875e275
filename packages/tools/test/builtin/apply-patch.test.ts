import { createApplyPatchTool, createShellCommandTool, createShellTool } from "@unroll/tools";
import { describe, expect, test } from "vitest";
import {
  createPatchGate,
  createPorts,
  createRuntime,
  type FakePorts,
  functionCall,
  outputText,
  runCalls,
} from "../fake-ports.ts";

const patch = [
  "*** Begin Patch",
  "*** Add File: new.txt",
  "+hello",
  "*** Update File: src/a.txt",
  "@@",
  " one",
  "-two",
  "+three",
  "*** End Patch",
].join("\n");
const files = { "/project/src/a.txt": "one\ntwo\n" };
const patched = { "/project/.keep": "", "/project/src/a.txt": "one\nthree\n", "/project/new.txt": "hello\n" };
const changes = [
  { path: "/project/new.txt", kind: "add" },
  { path: "/project/src/a.txt", kind: "update" },
];
const item = { id: "item_0", type: "file_change", changes };

function apply(ports: FakePorts, input = patch) {
  const call = { type: "custom_tool_call", call_id: "call_1", name: "apply_patch", input } as const;
  return runCalls(createRuntime([createApplyPatchTool(ports, "custom")]), [call]);
}

describe("a patch", () => {
  test("is written, and told", async () => {
    const ports = createPorts(files);
    const { items, events } = await apply(ports);
    expect(items).toEqual([
      {
        type: "custom_tool_call_output",
        call_id: "call_1",
        output: "Success. Updated the following files:\nA new.txt\nM src/a.txt",
      },
    ]);
    expect(events).toEqual([
      { type: "item.started", item: { ...item, status: "in_progress" } },
      { type: "item.completed", item: { ...item, status: "completed" } },
    ]);
    expect(ports.patchFiles.texts()).toEqual(patched);
    expect(ports.patchGate.requests).toEqual([{ changes, outsideWritableRoots: [] }]);
  });

  test("may come in the JSON of the function form", async () => {
    const ports = createPorts(files);
    const runtime = createRuntime([createApplyPatchTool(ports, "function")]);
    const { items } = await runCalls(runtime, [functionCall("apply_patch", { input: patch })]);
    expect(items).toMatchObject([{ type: "function_call_output", output: expect.stringContaining("Success.") }]);
    expect(ports.patchFiles.texts()).toEqual(patched);
  });

  test("that is none says where it goes wrong", async () => {
    const result = await apply(createPorts(), "*** Begin Patch\n*** Frob File: x\n*** End Patch");
    expect(outputText(result)).toContain("Line 2 of the patch: found `*** Frob File: x`");
    expect(result.events).toEqual([]);
  });

  test("that does not fit its files writes nothing and says what differs", async () => {
    const ports = createPorts({ "/project/src/a.txt": "one\n2\n" });
    const result = await apply(ports);
    expect(outputText(result)).toMatch(/^The patch was not applied\. No file was changed\./);
    expect(outputText(result)).toContain("src/a.txt");
    expect(result.events).toEqual([{ type: "item.completed", item: { ...item, status: "failed" } }]);
    expect(ports.patchFiles.texts()).toEqual({ "/project/.keep": "", "/project/src/a.txt": "one\n2\n" });
  });

  test("that is declined writes nothing", async () => {
    const patchGate = createPatchGate({ type: "declined", message: "the user said no. Change only src." });
    const ports = { ...createPorts(files), patchGate };
    const result = await apply(ports);
    expect(outputText(result)).toBe("The patch was not applied: the user said no. Change only src.");
    expect(result.events).toEqual([{ type: "item.completed", item: { ...item, status: "declined" } }]);
    expect(ports.patchFiles.texts()).toEqual({ "/project/.keep": "", ...files });
  });

  test("outside the writable roots is judged with the paths that are outside", async () => {
    const ports = createPorts({ "/etc/motd": "hi\n" });
    await apply(ports, "*** Begin Patch\n*** Delete File: ../etc/motd\n*** End Patch");
    expect(ports.patchGate.requests).toEqual([
      { changes: [{ path: "/etc/motd", kind: "delete" }], outsideWritableRoots: ["/etc/motd"] },
    ]);
  });

  test("does not show a file that may not be read", async () => {
    const ports = createPorts({ "/secret/key": "hush\n" });
    const result = await apply(ports, "*** Begin Patch\n*** Update File: /secret/key\n@@\n-x\n+y\n*** End Patch");
    expect(outputText(result)).toMatch(/^The patch was not applied/);
    expect(outputText(result)).not.toContain("hush");
  });

  test("of a moved file is one change, under its new name", async () => {
    const ports = createPorts(files);
    const move =
      "*** Begin Patch\n*** Update File: src/a.txt\n*** Move to: src/b.txt\n@@\n one\n-two\n+2\n*** End Patch";
    const { events } = await apply(ports, move);
    expect(events.at(-1)).toMatchObject({ item: { changes: [{ path: "/project/src/b.txt", kind: "update" }] } });
  });

  test("whose files break halfway through closes its item", async () => {
    const ports = createPorts(files);
    ports.patchFiles.rename = () => Promise.reject(new Error("disk on fire"));
    const { events } = await apply(ports);
    expect(events).toMatchObject([
      { type: "item.started" },
      { type: "item.completed", item: { id: "item_0", status: "failed" } },
      { item: { type: "error", message: "The tool apply_patch failed: disk on fire" } },
    ]);
  });
});

describe("a patch sent through a shell tool", () => {
  const script = `cd src && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: b.txt\n+b\n*** End Patch\nEOF\n`;
  const wanted = { "/project/.keep": "", "/project/src/a.txt": "one\ntwo\n", "/project/src/b.txt": "b\n" };

  test("is applied, and no command runs", async () => {
    const ports = createPorts(files);
    const runtime = createRuntime([createShellCommandTool(ports)]);
    const result = await runCalls(runtime, [functionCall("shell_command", { command: script })]);
    expect(outputText(result)).toBe("Success. Updated the following files:\nA b.txt");
    expect(result.events.at(-1)).toMatchObject({ item: { changes: [{ path: "/project/src/b.txt", kind: "add" }] } });
    expect(ports.patchFiles.texts()).toEqual(wanted);
    expect(ports.runner.specs).toEqual([]);
  });

  test("as an argument list is applied too", async () => {
    const ports = createPorts(files);
    const command = ["bash", "-lc", script];
    await runCalls(createRuntime([createShellTool(ports)]), [functionCall("shell", { command })]);
    expect(ports.patchFiles.texts()).toEqual(wanted);
  });

  test("is relative to the call's folder", async () => {
    const ports = createPorts(files);
    const args = {
      command: ["apply_patch", "*** Begin Patch\n*** Add File: b.txt\n+b\n*** End Patch"],
      workdir: "src",
    };
    await runCalls(createRuntime([createShellTool(ports)]), [functionCall("shell", args)]);
    expect(ports.patchFiles.texts()).toEqual(wanted);
  });

  test("into a folder that only the shell can find is left to the shell", async () => {
    const ports = createPorts(files);
    const args = { command: script.replace("cd src", "cd ~/src") };
    await runCalls(createRuntime([createShellCommandTool(ports)]), [functionCall("shell_command", args)]);
    expect(ports.runner.specs).toHaveLength(1);
  });
});
