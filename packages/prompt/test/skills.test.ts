import { formatFault, renderInitialPrompt, renderContextChange, surveySkills, toUserItems } from "@unroll/prompt";
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

test("a long description is cut to 1,024 bytes on a character boundary, and told", async () => {
  const { skills, warnings } = await render({
    files: { "/repo/.codex/skills/a/SKILL.md": skillText("a", "日".repeat(400)) },
  });
  expect(skills.map((skill) => skill.description)).toEqual(["日".repeat(341)]);
  expect(warnings).toEqual([
    "/repo/.codex/skills/a/SKILL.md:3:1: `description` has 1200 bytes, and only the first 1024 are used: shorten it.",
  ]);
});

const policy = testContext.skillPolicy;
const ofUser = { "/home/ada/.agents/skills/u/SKILL.md": skillText("u", "Of the user.") };
const ofProject = { "/repo/.agents/skills/p/SKILL.md": skillText("p", "Of the project.") };

function renderAs(skillPolicy: Partial<typeof policy>, files: Record<string, string>, cwd = "/repo") {
  const all = createMemoryFiles({ files: { "/instructions/default.md": "Base.", ...files } });
  return renderInitialPrompt({ ...testContext, cwd, skillPolicy: { ...policy, ...skillPolicy } }, all);
}

test("the skills of a project that is not trusted are not read, and a warning says how to trust it", async () => {
  const undecided = await renderAs({ projectTrust: null }, { ...ofUser, ...ofProject });
  expect(undecided.skills.map(({ name }) => name)).toEqual(["u"]);
  expect(undecided.warnings).toEqual([
    'The skill of the project /repo is not read, because you have not trusted this project yet. Put projects."/repo".trust_level = "trusted" at the top of /home/ada/.codex/config.toml to use them, or "untrusted" to hide this notice.',
  ]);
  const untrusted = await renderAs({ projectTrust: "untrusted" }, { ...ofUser, ...ofProject });
  expect([untrusted.skills.map(({ name }) => name), untrusted.warnings]).toEqual([["u"], []]);
  expect((await renderAs({ projectTrust: null }, ofUser)).warnings).toEqual([]);
});

test("users who work in their home folder have their own skills, with any trust of the folder", async () => {
  const files = createMemoryFiles({ files: { "/instructions/default.md": "Base.", ...ofUser } });
  const atHome = { ...testContext, cwd: "/home/ada", projectRoot: null };
  const { skills } = await renderInitialPrompt({ ...atHome, skillPolicy: { ...policy, projectTrust: null } }, files);
  expect(skills.map(({ name }) => name)).toEqual(["u"]);
});

test("skills lie in every folder from the root of the project down, and the innermost of a name counts", async () => {
  const { skills } = await renderAs(
    {},
    {
      ...ofProject,
      "/repo/web/.agents/skills/p/SKILL.md": skillText("p", "Of the folder."),
      "/repo/web/.codex/skills/w/SKILL.md": skillText("w", "Of the web."),
      "/repo/other/.codex/skills/o/SKILL.md": skillText("o", "Of another folder."),
    },
    "/repo/web/app",
  );
  expect(skills.map(({ name, description }) => [name, description])).toEqual([
    ["p", "Of the folder."],
    ["w", "Of the web."],
  ]);
});

test("a rule turns a skill off by its name, its file or its folder, and the last one counts", async () => {
  const files = { ...ofUser, ...ofProject };
  const off = async (...rules: (typeof policy.rules)[number][]) =>
    (await renderAs({ rules }, files)).skills.map(({ name }) => name);
  expect(await off({ isEnabled: false, name: "u" })).toEqual(["p"]);
  expect(await off({ isEnabled: false, path: "/repo/.agents/skills/p/" })).toEqual(["u"]);
  expect(await off({ isEnabled: false, path: "/repo/.agents/skills/p/SKILL.md" })).toEqual(["u"]);
  expect(await off({ isEnabled: false, name: "u" }, { isEnabled: true, name: "u" })).toEqual(["p", "u"]);
});

test("skills that are not listed still work by mention", async () => {
  const { items, skills } = await renderAs({ isListed: false }, ofUser);
  expect(JSON.stringify(items)).not.toContain("## Skills");
  expect(skills).toHaveLength(1);
});

test("a survey tells all skills, those that are off too, and all faults with their places", async () => {
  const files = createMemoryFiles({
    files: {
      ...ofUser,
      ...ofProject,
      "/repo/.codex/skills/bad/SKILL.md": "---\nname: bad name\ndescription: x\n---\n",
      "/home/ada/.codex/skills/u/SKILL.md": skillText("u", "Twice."),
    },
  });
  const context = { ...testContext, skillPolicy: { ...policy, rules: [{ isEnabled: false, name: "p" }] } };
  const survey = await surveySkills(context, files);
  expect(survey.skills.map(({ skill, isEnabled }) => [skill.path, isEnabled])).toEqual([
    ["/repo/.agents/skills/p/SKILL.md", false],
    ["/home/ada/.codex/skills/u/SKILL.md", true],
  ]);
  expect(survey.faults.map((fault) => formatFault(fault, "skill"))).toEqual([
    "/repo/.codex/skills/bad/SKILL.md:2:1: `name` must be 1 to 64 letters, digits, `_` or `-`, with `.` or `:` only in between. The skill was skipped.",
    "/home/ada/.agents/skills/u/SKILL.md: a skill named `u` is already there (/home/ada/.codex/skills/u/SKILL.md): rename one of them. The skill was skipped.",
  ]);
});

test("what changed in files and instructions is told apart, and what is gone, too", () => {
  const told = { developerInstructions: "", documents: "[/repo/AGENTS.md]\nUse tabs.", skills: "## Skills" };
  const all = new Set(["developerInstructions", "documents", "skills"] as const);
  const texts = renderContextChange(told, { cwd: "/repo", changed: all }).map(({ role, content }) => [
    role,
    content.map((part) => ("text" in part ? part.text : "")).join(""),
  ]);
  expect(texts).toEqual([
    [
      "developer",
      "There are no developer instructions any more: those that were given before do not count from here on.",
    ],
    [
      "user",
      "# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nThe AGENTS.md instructions have changed. From here on these count, and those that were given before do not.\n\n[/repo/AGENTS.md]\nUse tabs.\n</INSTRUCTIONS>",
    ],
    [
      "user",
      "<user_instructions>\n# Skills for /repo\n\nThe skills have changed. From here on there are these, and no others.\n\n## Skills\n</user_instructions>",
    ],
  ]);
  expect(renderContextChange(told, { cwd: "/repo", changed: new Set() })).toEqual([]);
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

test("a long SKILL.md is read up to its limit, and its text says so", async () => {
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
