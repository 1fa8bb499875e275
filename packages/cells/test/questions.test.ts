import type { FormField, Question } from "@unroll/protocol";
import { toRowText, wrapLine } from "@unroll/screen";
import { beforeAll, describe, expect, test } from "vitest";
import { type CellOptions, loadLibraries, readFieldValue, toDialogPages } from "@unroll/cells";

let options: CellOptions;
beforeAll(async () => {
  const libraries = await loadLibraries();
  options = { libraries, columns: 39, cwd: "/project", reasoning: "folded", detail: "folded", more: "^T" };
});

const place = { threadId: "t", itemId: "item_0", askedBy: "rule 3", reason: "It writes." };

/** Each page with its rows in 40 columns. */
function show(question: Question) {
  return toDialogPages(question, options).map(({ lines, ...page }) => ({
    ...page,
    rows: lines.flatMap((line) => wrapLine(line, 40).map(toRowText)),
  }));
}

describe("a question", () => {
  test("of a sub-agent names it in each title", () => {
    const asked = {
      ...place,
      agent: "explorer 2",
      type: "host.approval",
      command: "curl",
      cwd: "/",
      hosts: ["a"],
      endsByRule: true,
    } as const;
    expect(show(asked).map(({ title }) => title)).toEqual(["Sub-agent explorer 2: Let this command reach a host?"]);
  });

  test("about a package manager's hosts names all of them, and says how long each answer holds", () => {
    const hosts = ["packages.example:443", "files.example:443"];
    const rest = { command: "npm install", cwd: "/project", hosts, endsByRule: true } as const;
    const asked = { ...place, type: "host.approval", ...rest } as const;
    const [page] = show(asked);
    expect({
      ...page,
      choices: page?.choices.map(({ key, label, description }) => `${key}: ${label}: ${description}`),
    }).toEqual({
      id: null,
      title: "Let this command reach these hosts?",
      input: null,
      rows: [
        "host      │ packages.example:443",
        "host      │ files.example:443",
        "command   │ npm install",
        "in        │ /project",
        "asked by  │ rule 3",
        "why       │ It writes.",
      ],
      choices: [
        "y: yes: while this command runs",
        "s: yes, for this thread: these hosts",
        "a: always: all ports; writes rules to rules/default.rules",
        "n: no: ",
        "t: no, and say what to do instead: ",
      ],
    });
    const [asksEachTime] = show({ ...asked, endsByRule: false });
    expect(asksEachTime?.choices.map(({ key }) => key)).toEqual(["y", "s", "n", "t"]);
  });

  test("about a command shows all of it with hidden characters escaped, and who asks, each row behind a mark", () => {
    const [page] = show({
      ...place,
      type: "command.approval",
      command: `curl ${"x".repeat(40)}\nrm \u202e-rf\u00a0\u2800x\ufe0f \u0441url`,
      cwd: "/project",
      justification: "To see.",
      isUnconfined: true,
      proposedPrefix: ["curl"],
      proposedEnv: ["DATABASE_URL"],
      alsoAllows: "Any download.",
    });
    expect(page).toEqual({
      id: null,
      title: "Run this command outside the sandbox?",
      rows: [
        "command   │ curl xxxxxxxxxxxxxxxxxxxxxxx",
        "          ↪ xxxxxxxxxxxxxxxxx",
        "          │ rm \\u{202e}-rf\\u{a0}\\u{2800}",
        "          ↪ x\\u{fe0f} \\u{441}url",
        "in        │ /project",
        "the model │ To see.",
        "asked by  │ rule 3",
        "why       │ It writes.",
      ],
      choices: [
        { key: "y", label: "yes", description: "", action: { type: "answer", answer: { type: "approved.once" } } },
        {
          key: "s",
          label: "yes, for this thread",
          description: "this command in this folder",
          action: { type: "answer", answer: { type: "approved.thread" } },
        },
        {
          key: "a",
          label: "always allow commands that start with `curl`, also with DATABASE_URL set",
          description: "Any download.",
          action: { type: "edit_prefix", prefix: ["curl"] },
        },
        {
          key: "n",
          label: "no",
          description: "",
          action: { type: "answer", answer: { type: "denied", reason: null } },
        },
        { key: "t", label: "no, and say what to do instead", description: "", action: { type: "tell" } },
      ],
      input: null,
    });
  });

  test("about a patch shows the whole diff, however long", () => {
    const rows = Array.from({ length: 100 }, (_, at) => `+${at}`);
    const diff = ["--- /dev/null", "+++ /project/a", "@@ -0,0 +1,100 @@", ...rows].join("\n");
    const changes = [{ path: "/project/a", kind: "add" }] as const;
    const outsideRoots = ["/project/a", "/etc/x"]; // the first one because of the sandbox mode
    const [page] = show({ ...place, type: "patch.approval", changes, diff, outsideRoots, editFolders: [] });
    expect(page?.rows).toEqual([
      "add       │ /project/a",
      "outside   │ /etc/x",
      "diff      │   A a +100",
      ...rows.map((row, at) => `          │   ${String(at + 1).padStart(3)} ${row}`),
      "asked by  │ rule 3",
      "why       │ It writes.",
    ]);
  });

  test("about a tool that is asked about each time cannot be answered for the conversation", () => {
    const [page] = show({
      ...place,
      type: "tool.approval",
      server: null,
      tool: "pay",
      arguments: { sum: 1 },
      isKeepable: false,
    });
    expect([page?.rows.slice(0, 4), page?.choices.map(({ key }) => key)]).toEqual([
      ["tool      │ pay", "with      │ {", '          │   "sum": 1', "          │ }"],
      ["y", "n", "t"],
    ]);
  });

  test("about resending the whole thread offers yes, no and the thread's own model", () => {
    const [page] = show({
      ...place,
      type: "prefix.break",
      opened: { model: "gpt-a", provider: "p" },
      changes: ["another model"],
      tokens: 900,
    });
    expect([page?.title, page?.rows[0], page?.choices.map(({ key }) => key)]).toEqual([
      "Switching models resends about 900 tokens uncached. Switch?",
      "changes   │ another model",
      ["y", "o", "n"],
    ]);
    expect(page?.choices[1]?.label).toBe("keep the thread's own model (gpt-a)");
  });

  test("of the model has one page per question, with its options and a field for other answers", () => {
    const question = {
      header: "Scope",
      question: "How far?",
      options: [
        { label: "near", description: "a bit" },
        { label: "far", description: "" },
      ],
    };
    const pages = show({
      threadId: "t",
      itemId: null,
      type: "model.questions",
      questions: [
        { id: "a", ...question },
        { id: "b", ...question },
      ],
    });
    expect(pages.map(({ id, title }) => [id, title])).toEqual([
      ["a", "The model asks (1 of 2):"],
      ["b", "The model asks (2 of 2):"],
    ]);
    expect(pages[0]).toEqual({
      id: "a",
      title: "The model asks (1 of 2):",
      rows: ["about     │ Scope", "question  │ How far?"],
      choices: [
        { key: "1", label: "near", description: "a bit", action: { type: "value", value: "near" } },
        { key: "2", label: "far", description: "", action: { type: "value", value: "far" } },
      ],
      input: { label: "something else", prefill: "" },
    });
  });

  test("of a server names the server, then asks field by field, and accepts only valid values", () => {
    const field = { description: "", isRequired: true } as const;
    const count = {
      ...field,
      name: "n",
      title: "Count",
      input: { type: "number", isInteger: true, minimum: 1, maximum: 5 },
      defaultValue: 2,
    } as const;
    const options = [
      { value: "r", title: "Red" },
      { value: "b", title: "Blue" },
    ];
    const colors = {
      ...field,
      name: "c",
      title: "Colours",
      input: { type: "choice", isMultiple: true, minItems: 1, maxItems: 2, options },
      defaultValue: ["b"],
    } as const;
    const pages = show({
      threadId: "t",
      itemId: null,
      type: "server.form",
      server: "git",
      message: "Sign here.",
      fields: [count, colors],
    });
    expect(
      pages.map(({ id, rows, choices, input }) => ({
        id,
        rows,
        keys: choices.map(({ key }) => key),
        prefill: input?.prefill ?? null,
      })),
    ).toEqual([
      {
        id: null,
        rows: ["server    │ git", "message   │ Sign here.", "fields    │ Count", "          │ Colours"],
        keys: ["y", "n"],
        prefill: null,
      },
      { id: "n", rows: ["field     │ Count", "answer    │ a whole number, from 1 to 5"], keys: [], prefill: "2" },
      {
        id: "c",
        rows: [
          "field     │ Colours",
          "1.        │ Red",
          "2.        │ Blue",
          "answer    │ numbers, separated by commas",
          "          │ (from 1 to 2)",
        ],
        keys: [],
        prefill: "2",
      },
    ]);
    const read = (texts: readonly string[], asked: FormField): readonly unknown[] =>
      texts.map((text) => {
        const found = readFieldValue(text, asked);
        return found.type === "value" ? found.value : null;
      });
    expect(read(["3", "6", "1.5", "x"], count)).toEqual([3, null, null, null]);
    expect(read(["1, blue", "3", ""], colors)).toEqual([["r", "b"], null, null]);
    expect(readFieldValue("6", count)).toEqual({
      type: "refused",
      message: "This is not a valid answer: enter a whole number, from 1 to 5.",
    });
  });

  test("of a server states and enforces a rule for each kind of text", () => {
    const toField = (format: string | null, minLength: number, maxLength: number): FormField => ({
      name: "a",
      title: "A",
      description: "",
      isRequired: true,
      input: { type: "text", format, minLength, maxLength },
      defaultValue: null,
    });
    const refusal = (text: string, ...rule: readonly [string | null, number, number]): string | null => {
      const found = readFieldValue(text, toField(...rule));
      return found.type === "value" ? null : found.message.replace("This is not a valid answer: enter ", "");
    };
    expect([
      refusal("", null, 1, Infinity),
      refusal("ab", null, 0, 1),
      refusal("👩‍👩‍👧", null, 5, 5),
      refusal("ab", null, 3, 9),
      refusal("ada", "email", 0, Infinity),
      refusal("ada@x.org", "email", 0, Infinity),
      refusal("2026-02-30", "date", 0, Infinity),
      refusal("2028-02-29", "date", 0, Infinity),
      refusal("2026-02-28", "date-time", 0, Infinity),
      refusal("2026-02-28T10:00:00.5+02:00", "date-time", 0, Infinity),
      refusal("example.com", "uri", 0, 99),
      refusal("urn:a:b", "uri", 0, 99),
    ]).toEqual([
      "at least 1 character.",
      "at most 1 character.",
      null,
      "from 3 to 9 characters.",
      "an e-mail address.",
      null,
      "a date, such as 2026-01-31.",
      null,
      "a date and time, such as 2026-01-31T09:30:00Z.",
      null,
      "an address with its scheme, such as https://example.com, at most 99 characters.",
      null,
    ]);
  });

  test("of a server has a key for each answer, the server's proposal first, and one to leave the field empty", () => {
    const options = [
      { value: "r", title: "Red" },
      { value: "b", title: "Blue" },
    ];
    const [, page] = show({
      threadId: "t",
      itemId: null,
      type: "server.form",
      server: "git",
      message: "Sign here.",
      fields: [
        {
          name: "c",
          title: "Colour",
          description: "",
          isRequired: false,
          input: { type: "choice", isMultiple: false, minItems: 1, maxItems: 1, options },
          defaultValue: "b",
        },
      ],
    });
    expect([page?.choices.map(({ key, label, description }) => [key, label, description]), page?.input]).toEqual([
      [
        ["2", "Blue", "proposed by the server"],
        ["1", "Red", ""],
        ["e", "leave it empty", ""],
      ],
      null,
    ]);
  });
});
