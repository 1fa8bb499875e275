import { findRoles, formatFault, surveyRoles } from "@unroll/prompt";
import { expect, test } from "vitest";
import { createMemoryFiles } from "./memory-files.ts";
import { testContext } from "./test-context.ts";

const trusted = { ...testContext, skillPolicy: { ...testContext.skillPolicy, projectTrust: "trusted" } } as const;
const toml = (fields: string): string =>
  `name = "r"\ndescription = "Does r."\ndeveloper_instructions = "Do r."\n${fields}`;
const md = (fields: string, body = "Do r."): string => `---\nname: r\ndescription: Does r.\n${fields}---\n${body}`;

function survey(files: Record<string, string>, context: typeof testContext = trusted): ReturnType<typeof surveyRoles> {
  return surveyRoles(context, createMemoryFiles({ files }));
}

async function readOne(path: string, text: string) {
  const { roles, faults } = await survey({ [path]: text });
  return {
    role: roles.find(({ name }) => name === "r") ?? null,
    faults: faults.map((fault) => formatFault(fault, "role")),
  };
}

const plain = {
  name: "r",
  description: "Does r.",
  instructions: "Do r.",
  tools: null,
  withoutTools: [],
  sandboxMode: null,
  approvalPolicy: null,
  model: null,
  reasoningEffort: null,
  maxTurns: null,
  worktree: false,
};
const commands = ["shell_command", "shell", "exec_command", "write_stdin"];
const reading = { sandboxMode: "read-only", approvalPolicy: "never" };

test.for([
  ["", {}],
  ['model = "gpt-6-luna"\nmodel_reasoning_effort = "low"', { model: "gpt-6-luna", reasoningEffort: "low" }],
  ['sandbox_mode = "read-only"\napproval_policy = "never"', reading],
  ['web_search = "disabled"\nnickname_candidates = ["Ada"]', { withoutTools: ["web_search"] }],
] as const)("a file of the Codex CLI with %j is read as it is", async ([fields, said]) => {
  const path = "/repo/.codex/agents/r.toml";
  expect(await readOne(path, toml(fields))).toEqual({ role: { ...plain, ...said, path }, faults: [] });
});

test.for([
  ["", {}],
  ["tools: Bash, Edit\ncolor: red\n", { tools: [...commands, "apply_patch"] }],
  [
    "tools: [Read, Grep, mcp__docs__search]\n",
    { tools: [...commands, "view_image", "mcp__docs__search"], withoutTools: ["apply_patch"], ...reading },
  ],
  ["disallowedTools: Write, WebSearch\nmodel: sonnet\n", { withoutTools: ["apply_patch", "web_search"] }],
  ["model: haiku\neffort: low\nmaxTurns: 7\n", { model: "small", reasoningEffort: "low", maxTurns: 7 }],
  ["permissionMode: plan\n", { withoutTools: ["apply_patch"], ...reading }],
  ["permissionMode: dontAsk\n", { approvalPolicy: "never" }],
  ["isolation: worktree\n", { worktree: true }],
] as const)("a file of Claude Code with %j is read as it is", async ([fields, said]) => {
  const path = "/repo/.claude/agents/r.md";
  expect(await readOne(path, md(fields))).toEqual({ role: { ...plain, ...said, path }, faults: [] });
});

test.for([
  [
    "r.toml",
    toml('sandbox_mod = "read-only"'),
    "4:1: `sandbox_mod` is a field that is not understood, and it may restrict the role: remove it. The role was skipped.",
  ],
  [
    "r.toml",
    toml("[mcp_servers.x]\nenabled = false"),
    "4:1: `mcp_servers` is a field that is not understood, and it may restrict the role: remove it. The role was skipped.",
  ],
  [
    "r.toml",
    toml('sandbox_mode = "none"'),
    "4:1: `sandbox_mode` must be one of read-only, workspace-write, danger-full-access. The role was skipped.",
  ],
  ["r.toml", 'name = "r"\ndescription = "x"', "1:1: `developer_instructions` is missing. The role was skipped."],
  ["r.toml", "name = ", "1:8: this is not valid TOML: invalid value. The role was skipped."],
  [
    "r.md",
    md("hooks:\n  PreToolUse: x\n"),
    "4:1: `hooks` is a field that is not understood, and it may restrict the role: remove it. The role was skipped.",
  ],
  [
    "r.md",
    md("tools: Bash(git *), Read\n"),
    "4:1: `tools` names `Bash(git *)`, which is not a known tool, so its limits cannot be kept. The role was skipped.",
  ],
  [
    "r.md",
    md("tools: Read, Edit\n"),
    "4:1: `tools` allows edits and reading without `Bash`, but files are read by commands here: add `Bash`, or leave the edits out. The role was skipped.",
  ],
  [
    "r.md",
    md("isolation: remote\n"),
    "4:1: `isolation` must be `worktree`, the only known value. The role was skipped.",
  ],
  ["r.md", md("", "\n"), "1:1: the text below the front matter is missing. The role was skipped."],
  ["r.md", "Text.", "1:1: the first line must be `---`, then `name:` and `description:` lines. The role was skipped."],
] as const)(
  "a role in %s with a field that is wrong or not understood is not used, and the fault names file, line and field",
  async ([name, text, fault]) => {
    const path = `/repo/${name.endsWith("md") ? ".claude" : ".codex"}/agents/${name}`;
    expect(await readOne(path, text)).toEqual({ role: null, faults: [`${path}:${fault}`] });
  },
);

test("each fault of a file is reported once", async () => {
  const path = "/repo/.codex/agents/r.toml";
  const { faults } = await survey({ [path]: "name = 3\n[hooks]" });
  expect(faults.map(({ problem }) => problem)).toEqual([
    "`name` must be 1 to 64 letters, digits, `_` or `-`, with `.` or `:` only in between",
    "`hooks` is a field that is not understood, and it may restrict the role: remove it",
    "`description` is missing",
    "`developer_instructions` is missing",
  ]);
});

test("a field that only adds something is left out with a notice", async () => {
  const path = "/repo/.claude/agents/r.md";
  const { role, faults } = await readOne(path, md("permissionMode: bypassPermissions\nmemory: user\n"));
  expect(role).toEqual({ ...plain, path });
  expect(faults).toEqual([
    `${path}:4:1: \`permissionMode\` has no effect here and is ignored.`,
    `${path}:5:1: \`memory\` has no effect here and is ignored.`,
  ]);
});

test("a role that is too long is not used, because its rest may restrict it", async () => {
  const { role, faults } = await readOne("/repo/.claude/agents/r.md", md("", "x".repeat(70_000)));
  expect([role, faults]).toEqual([
    null,
    [expect.stringContaining("at most 65536 are read: shorten it. The role was skipped.")],
  ]);
});

test("the innermost file with a name counts, and takes the place of a built-in role", async () => {
  const files = {
    "/repo/.codex/agents/deep/reviewer.toml": toml("").replace('"r"', '"reviewer"'),
    "/home/ada/.codex/agents/r.toml": toml(""),
    "/home/ada/.claude/agents/r.md": md(""),
    "/home/ada/.claude/agents/README.md": "No role.",
    "/home/ada/.codex/agents/notes.md": "No role.",
  };
  const { roles, faults } = await survey(files);
  expect(roles.map(({ name, path }) => [name, path])).toEqual([
    ["r", "/home/ada/.codex/agents/r.toml"],
    ["reviewer", "/repo/.codex/agents/deep/reviewer.toml"],
    ["explorer", null],
    ["worker", null],
  ]);
  expect(faults.map(({ path }) => path)).toEqual(["/home/ada/.claude/agents/r.md"]);
});

test.for([
  ["untrusted", []],
  [
    null,
    [
      expect.stringContaining(
        "The role of the project /repo is not read, because you have not trusted this project yet.",
      ),
    ],
  ],
] as const)("the roles of a project whose trust is %s are not read", async ([projectTrust, warnings]) => {
  const context = { ...testContext, skillPolicy: { ...testContext.skillPolicy, projectTrust } };
  const files = createMemoryFiles({ files: { "/repo/.codex/agents/r.toml": toml("") } });
  const found = await findRoles(context, files);
  expect(found.roles.map(({ name }) => name)).toEqual(["explorer", "worker", "reviewer"]);
  expect(found.warnings).toEqual(warnings);
  expect((await surveyRoles(context, files)).untrusted).toEqual(["/repo/.codex/agents/r.toml"]);
});
