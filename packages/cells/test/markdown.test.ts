import { beforeAll, describe, expect, test } from "vitest";
import { listCodeBlocks, type Libraries, loadLibraries, renderMarkdown } from "@unroll/cells";
import { toLooks, toTexts } from "./shown.ts";

let libraries: Libraries;
beforeAll(async () => {
  libraries = await loadLibraries();
});

function render(text: string, columns = 79): readonly string[] {
  return toTexts(renderMarkdown(text, { ...libraries, columns }));
}

describe("Markdown", () => {
  test("keeps its blocks apart as they were written, with lists further in", () => {
    const text = [
      "# Title",
      "Text below it.",
      "",
      "1. first",
      "   - inner",
      "2. [x] second, with a long line",
      "",
      "> quoted",
      ">",
      "> ~~more~~",
      "",
      "---",
    ].join("\n");
    expect(renderMarkdown(text, { ...libraries, columns: 79 })).toEqual([
      {
        spans: [
          { text: "# ", roles: ["heading"] },
          { text: "Title", roles: ["heading"] },
        ],
        wrap: "words",
      },
      { spans: [{ text: "Text below it." }], wrap: "words" },
      { spans: [], wrap: "words" },
      { spans: [{ text: "1. ", roles: ["accent"] }, { text: "first" }], wrap: "words", hanging: [{ text: "   " }] },
      {
        spans: [{ text: "   " }, { text: "• ", roles: ["accent"] }, { text: "inner" }],
        wrap: "words",
        hanging: [{ text: "   " }, { text: "  " }],
      },
      {
        spans: [
          { text: "2. ", roles: ["accent"] },
          { text: "☑ ", roles: ["success"] },
          { text: "second, with a long line" },
        ],
        wrap: "words",
        hanging: [{ text: "     " }],
      },
      { spans: [], wrap: "words" },
      {
        spans: [{ text: "▌ ", roles: ["quote"] }, { text: "quoted" }],
        wrap: "words",
        hanging: [{ text: "▌ ", roles: ["quote"] }],
      },
      { spans: [{ text: "▌ ", roles: ["quote"] }], wrap: "words", hanging: [{ text: "▌ ", roles: ["quote"] }] },
      {
        spans: [
          { text: "▌ ", roles: ["quote"] },
          { text: "more", roles: ["struck"] },
        ],
        wrap: "words",
        hanging: [{ text: "▌ ", roles: ["quote"] }],
      },
      { spans: [], wrap: "words" },
      { spans: [{ text: "────────────────────", roles: ["muted"] }], wrap: "verbatim" },
    ]);
  });

  test("shows where a link leads, and lets the terminal open what is of the web alone", () => {
    const text = "[site](https://example.org) [file](src/a.ts) <https://x.org> [bad](javascript:alert) ![pic](a.png)";
    const [line] = renderMarkdown(text, { ...libraries, columns: 79 });
    expect(line?.spans.filter(({ roles }) => roles !== undefined)).toEqual([
      { text: "site", roles: ["link"], link: "https://example.org" },
      { text: " (https://example.org)", roles: ["muted"] },
      { text: "file", roles: ["link"] },
      { text: " (src/a.ts)", roles: ["muted"] },
      { text: "https://x.org", roles: ["link"], link: "https://x.org" },
      { text: "bad", roles: ["link"] },
      { text: " (javascript:alert)", roles: ["muted"] },
      { text: "pic", roles: ["link"] },
      { text: " (a.png)", roles: ["muted"] },
    ]);
  });

  test("shows code as it is, in colours, each line whole", () => {
    const lines = renderMarkdown("```ts\nif (a)\treturn 'x'; // why\n\n```", { ...libraries, columns: 20 });
    expect(toTexts(lines)).toEqual(["if (a)  return 'x'; // why", ""]);
    expect(toLooks(lines)).toEqual([
      "code-keyword:if",
      "code-keyword:return",
      "code-string:'x'",
      "code-comment:// why",
    ]);
    expect(lines.map(({ wrap }) => wrap)).toEqual(["verbatim", "verbatim"]);
  });

  test("fits a table to the width, and gives each row a paragraph where that is too narrow", () => {
    const table = "| name | what it does |\n|---|--:|\n| `one` | a rather long description |\n| 二 | x |";
    expect(render(table)).toEqual([
      "name │              what it does",
      "─────┼──────────────────────────",
      "one  │ a rather long description",
      "二   │                         x",
    ]);
    expect(render(table, 20)).toEqual([
      "name │  what it does",
      "─────┼──────────────",
      "one  │ a rather long",
      "     │   description",
      "二   │             x",
    ]);
    expect(render(table, 12)).toEqual([
      "name: one",
      "what it does: a rather long description",
      "",
      "name: 二",
      "what it does: x",
    ]);
  });

  test("shows as it was written what it would lose words of", () => {
    const text = "| a |\n|---|\n| x | lost |\n\n[ref]: https://example.org/there\n\n<b>bold</b> &lt;p&gt;";
    expect(render(text)).toEqual([
      "| a |",
      "|---|",
      "| x | lost |",
      "",
      "[ref]: https://example.org/there",
      "",
      "<b>bold</b> <p>",
    ]);
  });

  test("writes out what hides in it, and drops what would move the cursor", () => {
    expect(render("a\u202eb \u001b]0;title\u0007c\u001b[2J")).toEqual(["a\\u{202e}b c"]);
  });

  test("has code blocks that can be copied, however long", () => {
    const long = Array.from({ length: 100 }, (_, at) => `line ${at}`).join("\n");
    expect(listCodeBlocks(`Do:\n\`\`\`sh\nnpm i\n\`\`\`\nthen\n~~~\n${long}\n~~~\n`)).toEqual([
      { info: "sh", text: "npm i" },
      { info: "", text: long },
    ]);
  });
});
