import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { createMemoryPatchFiles } from "@unroll/apply-patch";
import type { Executor, Thread } from "@unroll/harness";
import { nodePromptFiles } from "@unroll/prompt/node";
import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { runToEnd } from "../thread-world.ts";
import { callsIn, config, openStore, openWorld, outputsOf, say, start, toolsOf } from "./agent-world.ts";

const patchOf = (text: string): Turn => ({
  items: [{ custom: "apply_patch", input: `*** Begin Patch\n${text}\n*** End Patch` }],
});
const open = [
  "sandbox_mode=workspace-write",
  "approval_policy=on-request",
  "sandbox_workspace_write.network_access=true",
  "sandbox_workspace_write.exclude_slash_tmp=true",
  "sandbox_workspace_write.exclude_tmpdir_env_var=true",
];

test("a sub-agent that runs loses network, hosts, folders, files, limits and approvals when its parent does, also with a sandbox of its own", async () => {
  const asked = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let count = 0;
  const work = async (): Promise<Turn> => {
    if ((count += 1) === 2) asked.resolve();
    await ended.promise;
    return say("Worked.");
  };
  await using world = await openWorld(
    {
      Ask: (_, step) =>
        step === 0 ? start({ message: "plain" }, { message: "own", sandbox: "workspace-write" }) : say("End."),
      plain: work,
      own: work,
    },
    { files: { "sub/file": "x" } },
  );
  await using thread = await world.openThread({
    config,
    permissions: open,
    person: { answer: async () => ({ type: "denied", reason: null }) },
  });
  const running = runToEnd(thread, "Ask");
  await asked.promise;
  const children = ["plain", "own"].flatMap((name) => thread.agents.find(name) ?? []);
  const permissionsOf = ({ bounds: { settings } }: Thread): unknown => {
    const { networkAccess, hosts, denyRead, limits, git } = settings.config.sandboxSettings;
    const { policy } = settings.sandbox;
    const roots = policy.mode === "workspace-write" ? policy.roots.map(({ path }) => path.slice(-4)) : policy.mode;
    const { maxProcesses } = limits;
    return [
      networkAccess,
      hosts?.allow ?? null,
      denyRead.includes("/hidden"),
      maxProcesses,
      git,
      roots,
      settings.approvals.policy,
    ];
  };
  const seen = (): unknown => {
    const [first, ...others] = children.map(permissionsOf);
    for (const other of others) expect(other).toEqual(first);
    return first;
  };
  const { sandboxSettings } = thread.config;
  const { maxProcesses } = sandboxSettings.limits;
  const { git } = sandboxSettings;
  expect(seen()).toEqual([true, null, false, maxProcesses, git, ["work"], "on-request"]);
  const limited = {
    ...sandboxSettings,
    hosts: { allow: ["example.org"], deny: [] },
    denyRead: [...sandboxSettings.denyRead, "/hidden"],
    limits: { ...sandboxSettings.limits, maxProcesses: 7 },
    git: "protected",
  } as const;
  thread.change({ sandboxSettings: limited });
  expect(seen()).toEqual([true, ["example.org"], true, 7, "protected", ["work"], "on-request"]);
  const { hosts: _, ...closed } = limited;
  thread.change({ sandboxSettings: { ...closed, networkAccess: false }, approvalPolicy: "untrusted", cwd: "sub" });
  expect(seen()).toEqual([false, null, true, 7, "protected", ["/sub"], "untrusted"]);
  thread.change({ sandboxMode: "read-only", approvalPolicy: "never" });
  expect(children.map((child) => child.bounds.settings.sandbox.policy.mode)).toEqual(["read-only", "read-only"]);
  ended.resolve();
  expect((await running).outcome).toMatchObject({ finalMessage: "End." });
});

test("a sub-agent that is forked or resumed by hand has no other tools, starts none, and is as deep as it was", async () => {
  await using world = await openWorld({
    Ask: (_, step) => (step === 0 ? start({ message: "try", tools: ["apply_patch"] }) : say("End.")),
    try: () => say("Hm."),
  });
  const store = openStore(world);
  await using harness = await world.openHarness({
    config,
    permissions: ["sandbox_mode=workspace-write", "approval_policy=never"],
    store,
  });
  const thread = await harness.openThread();
  await runToEnd(thread, "Ask");
  const id = thread.agents.list()[0]?.thread_id ?? "";
  await thread[Symbol.asyncDispose]();
  for (const child of [await harness.forkThread(id), await harness.resumeThread(id)]) {
    expect(child.bounds.tree.depth).toBe(1);
    await runToEnd(child, "More");
    await child[Symbol.asyncDispose]();
    expect(toolsOf(world.model.requests.at(-1))).toEqual(["apply_patch"]);
  }
});

test("no patch of a sub-agent in a folder leaves it by a link", async () => {
  const link = {
    items: [
      {
        call: "exec_command",
        arguments: { cmd: "ln -s .. up; ln -s ../../home away; ln -s ../keep.txt tied", login: false },
      },
    ],
  };
  await using world = await openWorld(
    {
      Ask: (_, step) =>
        step === 0 ? start({ message: "write", folder: "sub", sandbox: "workspace-write" }) : say("End."),
      write: (_, step) =>
        [
          link,
          patchOf("*** Add File: up/made\n+x"),
          patchOf("*** Add File: away/made\n+x"),
          patchOf("*** Update File: tied\n@@\n-kept\n+lost"),
        ][step] ?? say("Done."),
    },
    { files: { "sub/file": "x", "keep.txt": "kept\n" } },
  );
  await using thread = await world.openThread({ config, permissions: [...open, "approval_policy=never"] });
  await runToEnd(thread, "Ask");
  expect([existsSync(join(world.work, "made")), existsSync(join(world.home, "made"))]).toEqual([false, false]);
  expect(readFileSync(join(world.work, "keep.txt"), "utf8")).toBe("kept\n");
});

test("on another machine, a sub-agent works in a folder that this one does not have, tightened by its task; worktrees are refused", async () => {
  await using world = await openWorld({
    Ask: (_, step) =>
      step === 0
        ? start(
            { message: "write", folder: "there" },
            { message: "read", folder: "there", sandbox: "read-only" },
            { message: "apart", worktree: true },
          )
        : say("End."),
    write: (_, step) => [patchOf("*** Add File: made\n+x")][step] ?? say("Wrote."),
    read: (_, step) => (step === 0 ? patchOf("*** Add File: late\n+x") : say("Read.")),
  });
  const patchFiles = createMemoryPatchFiles({ [join(world.work, "there/file")]: "x" });
  const unused = (): never => {
    throw new Error("No command runs here.");
  };
  const executor: Executor = {
    promptFiles: nodePromptFiles,
    patchFiles,
    openOutputFiles: () => ({ open: async () => null, [Symbol.asyncDispose]: async () => {} }),
    runner: { run: unused, startBackgroundCommand: unused },
  };
  await using thread = await world.openThread({ config, executor });
  const { events } = await runToEnd(thread, "Ask");
  expect(Object.keys(patchFiles.texts()).map((path) => relative(world.work, path))).toEqual([
    "there/file",
    "there/made",
  ]);
  const ends = callsIn(events).map(({ arguments: given, status, reason = null }) => [given, status, reason]);
  expect(ends).toContainEqual([
    expect.objectContaining({ message: "apart" }),
    "failed",
    "It was not started. Commands run on another machine, where there are no worktrees.",
  ]);
  const late = world.model.requests.flatMap(outputsOf).find((text) => text.includes("there/late"));
  expect(late).toContain("The sandbox mode read-only does not let a patch write");
});
