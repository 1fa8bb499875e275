import { readFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "@unroll/config";
import { createBudget, defineTool } from "@unroll/harness";
import { nodeHost, openHarness, openThread } from "@unroll/harness/node";
import { isRestraint } from "@unroll/protocol";
import { startScriptedModel } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import * as z from "zod";

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../conformance/limits/${name}`, import.meta.url), "utf8"));
const invented = read("invented.json") as { readonly refused: Readonly<Record<string, unknown>> };
const members = read("request-members-0.169.json") as {
  readonly requests: Readonly<Record<string, readonly string[]>>;
};

/** Calls that know a tried name, with a tried value that fits. */
const known = new Set(["config writableFolders", "limits maxTurns", "child maxTurns", "sandboxSettings mode"]);

/** The limits of the Codex CLI's requests, and invented ones. */
const tried: readonly (readonly [string, unknown])[] = [
  ...Object.entries(invented.refused),
  ...[...new Set(Object.values(members.requests).flat())].flatMap((path): readonly (readonly [string, unknown])[] => {
    const [top = ""] = path.split(".");
    return isRestraint(top) ? [[top, "nonsense"]] : [];
  }),
];

type Calls = Readonly<Record<string, (more: object) => unknown>>;

test("the SDK takes no limit that it does not know, in any call nor below", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await mkdtempDisposable(join(tmpdir(), "unroll-limits-")));
  const model = stack.use(await startScriptedModel({ script: { turns: [{ items: [{ text: "Done." }] }] } }));
  const env = { PATH: process.env["PATH"], HOME: folder.path, OPENAI_API_KEY: "any", OPENAI_BASE_URL: model.url };
  const host = nodeHost({ cwd: folder.path, env });
  const config = { codexHome: folder.path, sandboxMode: "read-only" } as const;
  const harness = stack.use(await openHarness({ host, config }));
  const thread = stack.use(await harness.openThread());
  const { sandboxSettings } = await loadConfig({
    codexHome: folder.path,
    cwd: folder.path,
    env,
    overrides: [],
    flags: {},
  });
  const { limits } = sandboxSettings;
  const clock = { elapsed: () => 0 };
  const budget = createBudget({ clock, limits: {} });
  const tool = { name: "ok", description: "", input: z.object({}), run: async () => "" };
  const calls: Calls = {
    openHarness: (more) => openHarness({ host, config, ...more }),
    openThread: (more) => openThread({ host, config, ...more }),
    "openThread, config": (more) => openThread({ host, config: { ...config, ...more } }),
    "openThread, config.keys": (more) => openThread({ host, config: { ...config, keys: { ...more } } }),
    "harness.openThread": (more) => harness.openThread(more),
    "harness.openThread, config": (more) => harness.openThread({ config: { ...config, ...more } }),
    resumeThread: (more) => harness.resumeThread("last", more),
    forkThread: (more) => harness.forkThread("last", more),
    "thread.run": (more) => thread.run("Go", more),
    "thread.change": (more) => thread.change(more),
    "thread.change, sandboxSettings": (more) => thread.change({ sandboxSettings: { ...sandboxSettings, ...more } }),
    "thread.change, limits": (more) =>
      thread.change({ sandboxSettings: { ...sandboxSettings, limits: { ...limits, ...more } } }),
    "thread.change, approvalQuestions": (more) =>
      thread.change({ approvalQuestions: { rules: true, mcp: true, ...more } }),
    createBudget: (more) => createBudget({ clock, limits: {}, ...more }),
    "createBudget, limits": (more) => createBudget({ clock, limits: { ...more } }),
    "budget.child": (more) => budget.child({ ...more }, "part"),
    defineTool: (more) => defineTool({ ...tool, ...more }),
    nodeHost: (more) => nodeHost({ cwd: folder.path, env, ...more }),
  };
  const taken: string[] = [];
  for (const [name, call] of Object.entries(calls))
    for (const [member, value] of tried) {
      if (known.has(`${name.split(/[ .]/).at(-1)} ${member}`)) continue;
      const heard = await hear(() => call({ [member]: value }));
      if (!heard.includes(member) && !heard.includes("permission profile")) taken.push(`${name} ${member}: ${heard}`);
    }
  expect(taken).toEqual([]);
  expect(tried.length).toBeGreaterThan(30);
  expect(model.requests).toEqual([]);

  const wrong: readonly (readonly [string, object])[] = [
    ...["networkAccess", "excludeSlashTmp", "excludeTmpdirEnvVar", "allowWeaker"].map(
      (flag) => ["thread.change, sandboxSettings", { [flag]: "false" }] as const,
    ),
    ["thread.change, sandboxSettings", { git: "read-only" }],
    ["thread.change, limits", { maxProcesses: "10" }],
    ["thread.change, approvalQuestions", { rules: "no" }],
    ...["3", Number.NaN, -1, {}].flatMap((maxTurns) =>
      ["createBudget, limits", "budget.child"].map((name) => [name, { maxTurns }] as const),
    ),
  ];
  const held = await Promise.all(
    wrong.map(async ([name, more]) => [name, more, await hear(() => calls[name]?.(more))] as const),
  );
  expect(held.filter(([, more, heard]) => !heard.includes(Object.keys(more)[0] ?? ""))).toEqual([]);
});

test("a permission profile that is named alone decides on the sandbox of a thread", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-limits-"));
  const host = nodeHost({ cwd: folder.path, env: { HOME: folder.path, OPENAI_API_KEY: "any" } });
  await using thread = await openThread({ host, config: { codexHome: folder.path, sandboxMode: "workspace-write" } });
  const both = { permissionProfile: ":workspace", sandboxMode: "read-only" } as const;
  expect(await hear(() => thread.change(both))).toContain("permissionProfile cannot be combined with sandboxMode");
  thread.change({ permissionProfile: ":read-only" });
  expect(thread.config).toMatchObject({ permissionProfile: ":read-only", sandboxSettings: { mode: "read-only" } });
});

/** The message of the error that a call is refused with. */
async function hear(call: () => unknown): Promise<string> {
  try {
    const made = await call();
    if (typeof made === "object" && made !== null && Symbol.asyncDispose in made)
      await (made as AsyncDisposable)[Symbol.asyncDispose]();
    return "nothing";
  } catch (error) {
    return error instanceof Error ? error.message : "no error";
  }
}
