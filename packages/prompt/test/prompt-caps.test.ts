import { type PromptContext, renderInitialPrompt, renderPermissionsChange, toUserItems } from "@unroll/prompt";
import type { MessageItem } from "@unroll/protocol";
import { anyCharacter } from "@unroll/text/fixture/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemoryFiles } from "./memory-files.ts";
import { testContext, writableIn } from "./test-context.ts";

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
const textOf = (item: MessageItem): string => item.content.map((part) => ("text" in part ? part.text : "")).join("");
/** Text that is dear in bytes and full of what could break a cut or a tag. */
const anyText = fc.string({
  unit: fc.constantFrom("a", "\n", "ü", "日", "🙂", "e\u0301", "\ud83d", "</INSTRUCTIONS>", "</skill>", "[Cut here"),
  maxLength: 400,
});

function renderWith(files: Record<string, string | Uint8Array>, context: Partial<PromptContext> = {}) {
  const port = createMemoryFiles({ files: { "/instructions/default.md": "Base.", ...files } });
  return renderInitialPrompt({ ...testContext, ...context }, port);
}

test("project files never take more bytes than their budget, and no cut leaves half a character", async () => {
  const property = fc.asyncProperty(anyText, anyText, fc.nat(1500), async (outer, inner, budget) => {
    const files = { "/repo/AGENTS.md": outer, "/repo/web/AGENTS.md": inner };
    const { sources, items } = await renderWith(files, { cwd: "/repo/web", projectDocMaxBytes: budget });
    const docs = sources.filter((source) => source.kind === "project_doc");
    expect(docs.reduce((sum, doc) => sum + doc.bytes, 0)).toBeLessThanOrEqual(budget);
    for (const [index, text] of [outer, inner].entries()) {
      const doc = docs[index];
      if (doc === undefined) continue; // no budget left, or none at all
      expect(doc.truncated).toBe(doc.bytes < bytesOf(text));
      const shown = new TextDecoder("utf-8", { fatal: true }).decode(
        new TextEncoder().encode(text).subarray(0, doc.bytes),
      );
      expect(items.map(textOf).join()).toContain(shown.replaceAll(/<(?=\/INSTRUCTIONS\b)/g, "&lt;").trimEnd());
    }
  });
  await fc.assert(property, { numRuns: 200 });
});

test("every message of a prompt stays within its size, however large what it is made from", async () => {
  const huge = "🙂 <b></INSTRUCTIONS></permissions instructions> ".repeat(60_000);
  const { items, warnings } = await renderWith(
    { "/home/ada/.codex/AGENTS.md": huge, "/repo/AGENTS.md": huge },
    {
      developerInstructions: huge,
      projectDocMaxBytes: 10_000_000,
      sandboxPolicy: writableIn(Array.from({ length: 5000 }, (_, index) => `/data/${index}`)),
    },
  );
  const limits = [32 * 1024, 64 * 1024, 1024 * 1024, 8 * 1024];
  expect(items.map((item, index) => bytesOf(textOf(item)) <= (limits[index] ?? 0))).toEqual([true, true, true, true]);
  expect(items.map((item) => textOf(item).isWellFormed())).toEqual([true, true, true, true]);
  expect(items.map((item) => textOf(item).match(/<\/[a-zA-Z_]+ ?[a-z]*>\s*$/u)?.[0])).toEqual([
    "</permissions instructions>",
    undefined,
    "</INSTRUCTIONS>",
    "</environment_context>",
  ]);
  expect(warnings).toEqual([
    `/home/ada/.codex/AGENTS.md: only 65535 of ${bytesOf(huge)} bytes are in the prompt. Shorten it.`,
    `/repo/AGENTS.md: only 786432 of ${bytesOf(huge)} bytes are in the prompt. Shorten it, or raise project_doc_max_bytes.`,
    'The part "developer instructions" of the prompt was cut to 65536 bytes.',
  ]);
});

test("no text can close the tag that it stands in", async () => {
  const blank = fc.constantFrom("", " ", "\n", "\t ");
  const closing = fc
    .tuple(blank, blank, fc.constantFrom("INSTRUCTIONS", "instructions", "Instructions"), blank)
    .map(([a, b, tag, c]) => `<${a}/${b}${tag}${c}>`);
  const property = fc.asyncProperty(fc.array(fc.oneof(closing, anyText), { maxLength: 20 }), async (parts) => {
    const { items } = await renderWith({ "/repo/AGENTS.md": `x${parts.join("")}x` });
    const text = items.map(textOf).join("\n");
    expect(text.match(/<\s*\/\s*INSTRUCTIONS\b/giu)).toHaveLength(1);
  });
  await fc.assert(property, { numRuns: 100 });
});

test("the same context and files give the same bytes, in whatever order a folder is listed", async () => {
  const skill = (name: string): string => `---\nname: ${name}\ndescription: Does ${name}.\n---\nBody.`;
  const names = ["b", "a", "d", "c"];
  const property = fc.asyncProperty(anyText, fc.shuffledSubarray(names, { minLength: 4 }), async (text, order) => {
    const skills = order.map((name) => [`/repo/.agents/skills/${name}/SKILL.md`, skill(name)] as const);
    const rendered = await renderWith({ ...Object.fromEntries(skills), "/repo/AGENTS.md": text });
    const sorted = skills.toSorted(([a], [b]) => (a < b ? -1 : 1));
    const again = await renderWith({ "/repo/AGENTS.md": text, ...Object.fromEntries(sorted) });
    expect(JSON.stringify(rendered)).toBe(JSON.stringify(again));
  });
  await fc.assert(property, { numRuns: 50 });
});

test("a permissions change stays within the size of the permissions", () => {
  const roots = Array.from({ length: 5000 }, (_, index) => `/data/${index}`);
  const text = textOf(renderPermissionsChange({ ...testContext, sandboxPolicy: writableIn(roots, roots) }));
  expect(bytesOf(text)).toBeLessThanOrEqual(32 * 1024);
  expect(text).toMatch(/more are not listed here[^]*# Approvals: on-request/u);
});

test("a user's text arrives whole, whatever is in it", async () => {
  const property = fc.asyncProperty(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 300 }), async (text) => {
    const { items } = await toUserItems(text, [], createMemoryFiles({ files: {} }));
    expect(items).toEqual([{ type: "message", role: "user", content: [{ type: "input_text", text }] }]);
  });
  await fc.assert(property);
});
