import { createMemoryPatchFiles } from "@unroll/apply-patch";
import { createSecretMask } from "@unroll/text";
import { createApplyPatchTool } from "@unroll/tools";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createRuntime, functionCall, outputText, runCalls } from "../fake-ports.ts";

const secrets = createSecretMask([
  { name: "ONE", value: "one-9aQx+7Zk" },
  { name: "PEM", value: "-----BEGIN\nAB 12\n-----END" },
]);
const values = ["one-9aQx+7Zk", "-----BEGIN\nAB 12\n-----END", btoa("one-9aQx+7Zk")];
const standIns = ["[masked-secret:ONE]", "[masked-secret:PEM]", "[masked-secret:ONE:base64]", "[masked-secret:GONE]"];

async function apply(contents: Readonly<Record<string, string>>, patch: readonly string[]) {
  const patchFiles = createMemoryPatchFiles(contents);
  const access = { canRead: () => true, judgeWrites: () => () => true };
  const tool = createApplyPatchTool({ cwd: "/w", patchFiles, access, secrets }, "function");
  const input = ["*** Begin Patch", ...patch, "*** End Patch"].join("\n");
  const result = await runCalls(createRuntime([tool]), [functionCall("apply_patch", { input })]);
  return { texts: patchFiles.texts(), output: outputText(result), events: JSON.stringify(result.events) };
}

const word = fc.constantFrom("a", "key=", "x y", ...values);
const line = fc.array(word, { maxLength: 3 }).map((words) => words.join(" "));
const lines = fc.array(line, { minLength: 1, maxLength: 6 });

test("an edit between masked lines changes that line and nothing else", async () => {
  const property = fc.asyncProperty(lines, lines, async (above, below) => {
    const [before, behind] = [`${above.join("\n")}\n`, `\n${below.join("\n")}\n`];
    const context = (text: string): readonly string[] =>
      secrets
        .mask(text)
        .replace(/^\n|\n$/g, "")
        .split("\n")
        .map((each) => ` ${each}`);
    const patch = ["*** Update File: f", "@@", ...context(before), "-MARK", "+NEW", ...context(behind)];
    const { texts, output } = await apply({ "/w/f": `${before}MARK${behind}` }, patch);
    expect(output).toContain("Success");
    expect(texts["/w/f"]).toBe(`${before}NEW${behind}`);
  });
  await fc.assert(property, { numRuns: 200 });
});

test("a patch puts values into the files that held them, and is refused whole where one did not", async () => {
  const added = fc.array(fc.constantFrom("a", ...standIns), { minLength: 1, maxLength: 3 }).map((all) => all.join(" "));
  const property = fc.asyncProperty(lines, lines, added, async (one, two, text) => {
    const contents = { "/w/one": `MARK\n${one.join("\n")}\n`, "/w/two": `MARK\n${two.join("\n")}\n` };
    const edit = (name: string): readonly string[] => [`*** Update File: ${name}`, "@@", "-MARK", `+${text}`];
    const { texts, output, events } = await apply(contents, [...edit("one"), ...edit("two")]);
    const used = standIns.flatMap((standIn, index) => (text.includes(standIn) ? [values[index] ?? "\0"] : []));
    const isFine = Object.values(contents).every((content) => used.every((value) => content.includes(value)));
    const restored = values.reduce((left, value, index) => left.replaceAll(standIns[index] ?? "", () => value), text);
    const changed = Object.entries(contents).map(([path, content]) => [path, content.replace("MARK", () => restored)]);
    expect(texts).toEqual(isFine ? Object.fromEntries(changed) : contents);
    for (const value of values) expect(events + output).not.toContain(value);
  });
  await fc.assert(property, { numRuns: 200 });
});

test("the same values may be written again in the file that holds them", async () => {
  const file = `MARK\n${values.join("\n")}\n`;
  const { texts, output } = await apply({ "/w/f": file }, [
    "*** Update File: f",
    "@@",
    "-MARK",
    ...standIns.slice(0, 3).map((standIn) => `+again ${standIn}`),
  ]);
  expect(output).toContain("Success");
  expect(texts["/w/f"]).toBe(file.replace("MARK", () => values.map((value) => `again ${value}`).join("\n")));
});

test("a file that is not UTF-8, or one where values overlap, is patched as it is", async () => {
  const overlapping = createSecretMask([
    { name: "ONE", value: "abcdefgh" },
    { name: "TWO", value: "efghijkl" },
  ]);
  const patchFiles = createMemoryPatchFiles({ "/w/f": "abcdefghijkl\nold\n" });
  const access = { canRead: () => true, judgeWrites: () => () => true };
  const tool = createApplyPatchTool({ cwd: "/w", patchFiles, access, secrets: overlapping }, "function");
  const input = "*** Begin Patch\n*** Update File: f\n@@\n-old\n+new\n*** End Patch";
  await runCalls(createRuntime([tool]), [functionCall("apply_patch", { input })]);
  expect(patchFiles.texts()).toEqual({ "/w/f": "abcdefghijkl\nnew\n" });
});
