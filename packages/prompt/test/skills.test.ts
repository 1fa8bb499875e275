import { renderInitialPrompt, toUserItems } from "@unroll/prompt";
import { expect, test } from "vitest";
import { createMemoryFiles, type MemoryFolder } from "./memory-files.ts";
import { testContext } from "./test-context.ts";

const skillText = (name: string, description: string, body = ""): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;

function createSkills(count: number, description: string): Record<string, string> {
  const names = Array.from({ length: count }, (_, index) => `s${String(index).padStart(4, "0")}`);
  return Object.fromEntries(
    names.map((name) => [`/repo/.agents/skills/${name}/SKILL.md`, skillText(name, description)]),
  );
}

function render(folder: MemoryFolder) {
  const files = { "/instructions/default.md": "Base.", ...folder.files };
  return renderInitialPrompt(testContext, createMemoryFiles({ ...folder, files }));
}

test("a list of skills that is too long ends on a whole line and counts the rest, which can still be mentioned", async () => {
  const { items, skills, warnings } = await render({ files: createSkills(150, "x".repeat(1000)) });
  const text = JSON.stringify(items);
  expect(text.match(/- s\d{4}: x{1000} \(file: /gu)).toHaveLength(15);
  expect(text).toContain("[135 more are not listed here.]");
  expect(skills).toHaveLength(150);
  expect(warnings).toEqual([]);
});

test("at most 200 skills are read", async () => {
  const { skills, warnings } = await render({ files: createSkills(203, "Short.") });
  expect(skills).toHaveLength(200);
  expect(warnings).toEqual(["Only the first 200 of 203 skills are used."]);
});

test("a search stops after 1,000 folders and six levels", async () => {
  const wide = Array.from({ length: 1200 }, (_, index) => [`/repo/.agents/skills/f${index}/note.txt`, ""] as const);
  const deep = ["/repo/.codex/skills/1/2/3/4/5/6/SKILL.md", "/home/ada/.codex/skills/1/2/3/4/5/6/7/SKILL.md"] as const;
  const { skills, warnings } = await render({
    files: {
      ...Object.fromEntries(wide),
      [deep[0]]: skillText("six", "Six folders deep."),
      [deep[1]]: skillText("seven", "Seven folders deep."),
    },
  });
  expect(skills.map((skill) => skill.name)).toEqual(["six"]);
  expect(warnings).toEqual(["Skills below /repo/.agents/skills were looked for in the first 1000 folders only."]);
});

test("a long description is cut to 1,024 bytes on a character boundary", async () => {
  const { skills } = await render({ files: { "/repo/.codex/skills/a/SKILL.md": skillText("a", "日".repeat(400)) } });
  expect(skills.map((skill) => skill.description)).toEqual(["日".repeat(341)]);
});

test("YAML that is nested too deep, or an alias bomb, is a warning", async () => {
  const bomb = [
    "a: &a [x, x]",
    ..."bcdefghijklmnop"
      .split("")
      .map((key, index) => `${key}: &${key} [*${"abcdefghijklmnop"[index]}, *${"abcdefghijklmnop"[index]}]`),
  ].join("\n");
  const { warnings, skills } = await render({
    files: {
      "/repo/.codex/skills/deep/SKILL.md": `---\nname: ${"[".repeat(30_000)}\n---\n`,
      "/repo/.codex/skills/bomb/SKILL.md": `---\nname: bomb\ndescription: *p\n${bomb}\n---\n`,
    },
  });
  expect(skills).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining("bomb/SKILL.md:3:"), expect.stringContaining("deep/SKILL.md:")]);
});

test("a skill that is gone, or turned into something else, is a warning and leaves the message alone", async () => {
  const files = createMemoryFiles({
    files: { "/skills/folder/SKILL.md/x": "" },
    unreadable: { "/skills/locked/SKILL.md": "permission denied" },
  });
  const skills = ["folder", "gone", "locked"].map((name) => ({
    name,
    description: "",
    path: `/skills/${name}/SKILL.md`,
  }));
  expect(await toUserItems("$folder $gone $locked", skills, files)).toEqual({
    items: [{ type: "message", role: "user", content: [{ type: "input_text", text: "$folder $gone $locked" }] }],
    warnings: [
      "The skill $folder was not loaded: /skills/folder/SKILL.md is not a regular file.",
      "The skill $gone was not loaded: /skills/gone/SKILL.md is gone.",
      "The skill $locked was not loaded: /skills/locked/SKILL.md cannot be read: permission denied.",
    ],
  });
});

test("a long SKILL.md is read to its limit, and says so", async () => {
  const files = createMemoryFiles({
    files: { "/skills/a/SKILL.md": skillText("a", "Long.", "</skill>".repeat(20_000)) },
  });
  const { items } = await toUserItems("$a", [{ name: "a", description: "", path: "/skills/a/SKILL.md" }], files);
  const text = JSON.stringify(items[1]);
  expect(text.length).toBeLessThan(81 * 1024);
  expect(text).toMatch(/\[Cut here: \d+ of \d+ bytes are shown\.\]\\n<\/skill>"/u);
});

test("empty input makes no item", async () => {
  const files = createMemoryFiles({ files: {} });
  expect(await toUserItems("", [], files)).toEqual({ items: [], warnings: [] });
  expect(await toUserItems([{ type: "text", text: "" }], [], files)).toEqual({ items: [], warnings: [] });
});

test("the skills of a project count only where the user trusts it, and until they have said so they are told", async () => {
  const files = {
    "/instructions/default.md": "Base.",
    "/repo/.codex/skills/a/SKILL.md": skillText("a", "Of the project."),
    "/repo/.agents/skills/b/SKILL.md": skillText("b", "Of the project, too."),
    "/home/ann/.agents/skills/c/SKILL.md": skillText("c", "Of the user."),
  };
  const listed = async (projectTrust: "trusted" | "untrusted" | null) => {
    const context = { ...testContext, homeDirectory: "/home/ann", projectTrust };
    const { skills, warnings } = await renderInitialPrompt(context, createMemoryFiles({ files }));
    return { skills: skills.map(({ name }) => name), warnings };
  };
  expect(await listed("trusted")).toEqual({ skills: ["a", "b", "c"], warnings: [] });
  expect(await listed("untrusted")).toEqual({ skills: ["c"], warnings: [] });
  expect(await listed(null)).toEqual({
    skills: ["c"],
    warnings: [
      '/repo/.codex/skills/a/SKILL.md and 1 more skills: not read, because you have not said that you trust this project. Put projects."/repo".trust_level = "trusted" at the top of your config.toml, or = "untrusted" to end this notice.',
    ],
  });
});
