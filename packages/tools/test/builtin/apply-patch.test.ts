import { createApplyPatchTool, createShellCommandTool, createShellTool } from "@unroll/tools";
import { describe, expect, test } from "vitest";
import {
  createDenyingGate,
  createGate,
  createPorts,
  createRuntime,
  type FakeGate,
  type FakePorts,
  functionCall,
  outputText,
  runCalls,
  toolCall,
  withFacts,
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
const diff = [
  "--- /dev/null",
  "+++ /project/new.txt",
  "@@ -0,0 +1,1 @@",
  "+hello",
  "--- /project/src/a.txt",
  "+++ /project/src/a.txt",
  "@@ -1,2 +1,2 @@",
  " one",
  "-two",
  "+three",
  "",
].join("\n");
const item = { id: "item_0", type: "file_change", changes, diff };

function apply(ports: FakePorts, input = patch, gate: FakeGate = createGate()) {
  const call = { type: "custom_tool_call", call_id: "call_1", name: "apply_patch", input } as const;
  return runCalls(createRuntime([createApplyPatchTool(ports, "custom")], { gate }), [call]);
}

/** The call of a patch as the gate gets it. */
async function judged(ports: FakePorts, input: string) {
  const gate = createGate();
  await apply(ports, input, gate);
  return gate.calls[0]?.type === "patch" ? gate.calls[0] : null;
}

/** The lines of a patch between its frame. */
const patchOf = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const started = { type: "item.started", item: { ...item, status: "in_progress" } };

describe("a patch", () => {
  test("is written, and told", async () => {
    const ports = createPorts(files);
    const gate = createGate();
    const { items, events } = await apply(ports, patch, gate);
    expect(items).toEqual([
      {
        type: "custom_tool_call_output",
        call_id: "call_1",
        output: "Success. Updated the following files:\nA new.txt\nM src/a.txt",
      },
    ]);
    expect(events).toEqual(withFacts([started, { type: "item.completed", item: { ...item, status: "completed" } }]));
    expect(ports.patchFiles.texts()).toEqual(patched);
    expect(gate.calls).toEqual([
      {
        type: "patch",
        changes,
        outsideRoots: [],
        diff,
      },
    ]);
  });

  test("may come in the JSON of the function form", async () => {
    const ports = createPorts(files);
    const runtime = createRuntime([createApplyPatchTool(ports, "function")]);
    const { items } = await runCalls(runtime, [functionCall("apply_patch", { input: patch })]);
    expect(items).toMatchObject([{ type: "function_call_output", output: expect.stringContaining("Success.") }]);
    expect(ports.patchFiles.texts()).toEqual(patched);
  });

  test("with an unknown line is refused with the line's number", async () => {
    const result = await apply(createPorts(), "*** Begin Patch\n*** Frob File: x\n*** End Patch");
    const output = outputText(result);
    expect(output).toContain("Line 2 of the patch: found `*** Frob File: x`");
    const call = toolCall("apply_patch", "*** Begin Patch\n*** Frob File: x\n*** End Patch");
    expect(result.events).toEqual(withFacts([call.started, call.ended({ output, status: "failed", reason: output })]));
  });

  test("that does not fit its files writes nothing and says what differs", async () => {
    const ports = createPorts({ "/project/src/a.txt": "one\n2\n" });
    const result = await apply(ports);
    expect(outputText(result)).toMatch(/^The patch was not applied\. No file was changed\./);
    expect(outputText(result)).toContain("src/a.txt");
    const reason = expect.stringMatching(/^src\/a\.txt, hunk 1 /);
    const untold = { id: "item_0", type: "file_change", changes };
    expect(result.events).toEqual(
      withFacts([
        { type: "item.started", item: { ...untold, status: "in_progress" } },
        { type: "item.completed", item: { ...untold, status: "failed", reason } },
      ]),
    );
    expect(ports.patchFiles.texts()).toEqual({ "/project/.keep": "", "/project/src/a.txt": "one\n2\n" });
  });

  test("that is declined writes nothing", async () => {
    const reason = "the user said no. Change only src.";
    const ports = createPorts(files);
    const result = await apply(ports, patch, createDenyingGate(reason));
    expect(outputText(result)).toBe(`The patch was not applied: ${reason}`);
    expect(result.events).toEqual(
      withFacts([started, { type: "item.completed", item: { ...item, status: "declined", reason } }]),
    );
    expect(ports.patchFiles.texts()).toEqual({ "/project/.keep": "", ...files });
  });

  test("outside the writable roots is judged with the paths that are outside", async () => {
    const ports = createPorts({ "/etc/motd": "hi\n" });
    expect(await judged(ports, patchOf("*** Delete File: ../etc/motd"))).toEqual({
      type: "patch",
      changes: [{ path: "/etc/motd", kind: "delete" }],
      diff: "--- /etc/motd\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-hi\n",
      outsideRoots: ["/etc/motd"],
    });
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
    expect(events.at(-1)).toMatchObject({
      item: { changes: [{ path: "/project/src/b.txt", kind: "update", moved_from: "/project/src/a.txt" }] },
    });
  });

  test("whose files break halfway through closes its item", async () => {
    const ports = createPorts(files);
    const openFolder = ports.patchFiles.openFolder.bind(ports.patchFiles);
    ports.patchFiles.openFolder = async (path) => {
      const folder = await openFolder(path);
      if (folder !== null) folder.rename = () => Promise.reject(new Error("disk on fire"));
      return folder;
    };
    const { events } = await apply(ports);
    expect(events).toMatchObject([
      { type: "item.started" },
      {
        type: "item.completed",
        item: { id: "item_0", status: "failed", reason: "The tool apply_patch failed: disk on fire" },
      },
    ]);
  });
});

describe("the diff that the gate is given", () => {
  const lines = (count: number, from = 0) => Array.from({ length: count }, (_none, index) => `line ${from + index}\n`);
  const add = (path: string, text: string) => [
    `*** Add File: ${path}`,
    ...text
      .trimEnd()
      .split("\n")
      .map((l) => `+${l}`),
  ];

  test("of a moved file compares it with what it was", async () => {
    const ports = createPorts({ "/project/a.txt": lines(9).join("") });
    const move = patchOf("*** Update File: a.txt", "*** Move to: b.txt", "@@", " line 3", "-line 4", "+changed");
    expect((await judged(ports, move))?.diff).toBe(
      [
        "--- /project/a.txt",
        "+++ /project/b.txt",
        "@@ -2,7 +2,7 @@",
        " line 1",
        " line 2",
        " line 3",
        "-line 4",
        "+changed",
        " line 5",
        " line 6",
        " line 7",
        "",
      ].join("\n"),
    );
  });

  test("shows what the file really holds, where the patch was taken loosely", async () => {
    const ports = createPorts({ "/project/a.txt": "say “hi”  \n" });
    const loose = patchOf("*** Update File: a.txt", "@@", '-say "hi"', "+say nothing");
    expect((await judged(ports, loose))?.diff).toContain("-say “hi”  \n+say nothing\n");
  });

  test("hides the content of a file that is unreadable or binary, and names the reason", async () => {
    const ports = createPorts({ "/secret/key": "hush\n", "/project/b": "a\0b" });
    expect((await judged(ports, patchOf("*** Delete File: /secret/key", "*** Delete File: b")))?.diff).toBe(
      [
        "--- /secret/key",
        "+++ /dev/null",
        "[not shown: before the patch the file may not be read]",
        "--- /project/b",
        "+++ /dev/null",
        "[not shown: before the patch the file is binary, of 3 bytes]",
        "",
      ].join("\n"),
    );
  });

  test("of a file that changes all over is its new text", async () => {
    const ports = createPorts({ "/project/a.txt": lines(2_000).join("") });
    const diff = (await judged(ports, patchOf(...add("a.txt", lines(2_000, 5_000).join("")))))?.diff;
    expect(diff).toMatch(
      /^--- \/project\/a\.txt\n\+\+\+ \/project\/a\.txt\n\[more than 1000 lines differ: the file is rewritten as\]\n\+line 5000\n/,
    );
  });

  test("of a long file that is deleted or added is all of its lines, and says nothing of a rewrite", async () => {
    const old = lines(2_000);
    const removed = await judged(createPorts({ "/project/a.txt": old.join("") }), patchOf("*** Delete File: a.txt"));
    expect(removed?.diff).toBe(
      `--- /project/a.txt\n+++ /dev/null\n@@ -1,2000 +0,0 @@\n${old.map((line) => `-${line}`).join("")}`,
    );
    const added = await judged(createPorts(), patchOf(...add("a.txt", old.join(""))));
    expect(added?.diff).toBe(
      `--- /dev/null\n+++ /project/a.txt\n@@ -0,0 +1,2000 @@\n${old.map((line) => `+${line}`).join("")}`,
    );
  });

  test("shows one changed line of a file of two megabytes, and all of a new one", async () => {
    const big = Array.from({ length: 20_000 }, (_none, at) => `line ${at}${at < 200 ? "" : ".".repeat(120)}\n`).join(
      "",
    );
    const update = patchOf("*** Update File: a.txt", "@@", " line 99", "-line 100", "+changed");
    const diff = (await judged(createPorts({ "/project/a.txt": big }), update))?.diff ?? "";
    expect(diff).toContain("-line 100\n+changed\n");
    const added = (await judged(createPorts(), patchOf(...add("a.txt", big))))?.diff ?? "";
    expect([added.length > 2 ** 21, added.includes("not shown")]).toEqual([true, false]);
  });

  test("is whole, however long: nobody approves what was cut", async () => {
    const diff = (await judged(createPorts(), patchOf(...add("a.txt", lines(20_000).join("")))))?.diff ?? "";
    expect(diff.split("\n").filter((line) => line.startsWith("+line"))).toHaveLength(20_000);
    expect(diff).toMatch(/\n\+line 19999\n$/); // and no empty line behind it
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
