import { existsSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Thread } from "@unroll/harness";
import type { Person } from "@unroll/protocol";
import type { Turn } from "@unroll/scripted-model";
import type { CallGate } from "@unroll/tools";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

const end: Turn = { items: [{ text: "Done." }] };

function write(name: string): readonly Turn[] {
  const input = `*** Begin Patch\n*** Add File: ${name}\n+x\n*** End Patch`;
  return [{ items: [{ custom: "apply_patch", input }] }, end];
}

function touch(name: string): readonly Turn[] {
  return [{ items: [{ call: "exec_command", arguments: { cmd: `touch ${name}`, login: false } }] }, end];
}

function openWorld(...turns: readonly Turn[]): Promise<ThreadWorld> {
  return openThreadWorld({ script: { turns } }, { files: { "sub/x": "" } });
}

function madeIn({ work }: ThreadWorld, ...names: readonly string[]): readonly string[] {
  return names.filter((name) => existsSync(join(work, name)));
}

/** Says yes to all. */
function createYes(): Person & { readonly asked: readonly string[] } {
  const asked: string[] = [];
  return {
    asked,
    async answer({ type }) {
      asked.push(type);
      return { type: "approved.once" };
    },
  };
}

test.for([
  ["as its harness is", null],
  ["with a config of its own", []],
] as const)("a thread that another one opens, %s, may write no more than that one at each moment", async ([, own]) => {
  await using world = await openWorld(...["a", "b", "c"].flatMap(write));
  await using harness = await world.openHarness();
  const parent = await harness.openThread();
  parent.change({ sandboxMode: "read-only" });
  const config = own === null ? {} : { config: await world.loadConfig(own) };
  const child = await harness.openThread({ parent, ...config });
  await runToEnd(child, "Write a");
  parent.change({ sandboxMode: "danger-full-access" });
  await runToEnd(child, "Write b");
  parent.change({ sandboxMode: "read-only" });
  child.change({ sandboxMode: "danger-full-access" });
  await runToEnd(child, "Write c");
  expect(madeIn(world, "a", "b", "c")).toEqual(["b"]);
  expect(world.model.violations).toEqual([]);
  const told = world.model.requests.map(({ raw }) => raw.toString().split("The permissions have changed").length - 1);
  expect(told).toEqual([0, 0, 1, 1, 2, 2]);
  expect(world.model.requests[0]?.raw.toString()).toContain("read-only");
});

test("so may those that are opened by it, and the limits of the network and of hidden files go with that", async () => {
  await using world = await openWorld();
  await using harness = await world.openHarness();
  const parent = await harness.openThread();
  const open = await world.loadConfig([
    "sandbox_mode=workspace-write",
    "sandbox_workspace_write.network_access=true",
    `sandbox.deny_read=["/own"]`,
  ]);
  const child = await harness.openThread({ parent, config: open });
  const grandchild = await harness.openThread({ parent: child, config: open });
  const settingsOf = ({ bounds }: Thread): unknown => {
    const { mode, networkAccess, excludeSlashTmp, excludeTmpdirEnvVar, denyRead, limits } =
      bounds.settings.config.sandboxSettings;
    const isExcluded = [excludeSlashTmp, excludeTmpdirEnvVar];
    const shown = denyRead.filter((path) => ["/own", "/hidden"].includes(path));
    return { mode, networkAccess, isExcluded, denyRead: shown, limits };
  };
  const { sandboxSettings } = parent.bounds.settings.config;
  const { limits } = sandboxSettings;
  const paths = { isExcluded: [false, false], denyRead: ["/own"] };
  const asOpened = { mode: "workspace-write", networkAccess: true, ...paths, limits };
  expect([settingsOf(child), settingsOf(grandchild)]).toEqual([asOpened, asOpened]);
  const closed = { mode: "workspace-write", networkAccess: false, denyRead: ["/hidden"] } as const;
  const excluded = { excludeSlashTmp: true, excludeTmpdirEnvVar: true };
  const fewer = { ...limits, maxProcesses: 7, maxMemoryMb: 100, maxTotalMemoryMb: 200 };
  parent.change({ sandboxSettings: { ...sandboxSettings, ...closed, ...excluded, limits: fewer } });
  const bound = { ...closed, isExcluded: [true, true], denyRead: ["/own", "/hidden"], limits: fewer };
  expect([settingsOf(child), settingsOf(grandchild)]).toEqual([bound, bound]);
});

test.for([
  ["untrusted", "untrusted", ["command.approval"], ["a"]],
  ["untrusted", "on-request", ["command.approval"], ["a"]],
  ["on-request", "untrusted", ["command.approval"], ["a"]],
  ["on-request", "never", [], ["a"]],
  ["untrusted", "never", [], []],
  ["never", "untrusted", [], []],
] as const)("under %s, a thread of %s does what both allow", async ([ofParent, ofChild, asked, made]) => {
  await using world = await openWorld(...touch("a"));
  const person = createYes();
  await using harness = await world.openHarness({ person });
  const parent = await harness.openThread();
  const child = await harness.openThread({
    parent,
    config: await world.loadConfig([`approval_policy=${ofChild}`]),
  });
  parent.change({ approvalPolicy: ofParent });
  await runToEnd(child, "Touch a");
  expect([person.asked, madeIn(world, "a")]).toEqual([asked, made]);
});

test("without a config it has the policy, the person and the folder of that one", async () => {
  await using world = await openWorld(...touch("a"), ...touch("b"));
  const [ofHarness, ofParent] = [createYes(), createYes()];
  await using harness = await world.openHarness({ person: ofHarness });
  const parent = await harness.openThread({ person: ofParent });
  parent.change({ approvalPolicy: "untrusted", cwd: "sub" });
  await runToEnd(await harness.openThread({ parent }), "Touch a");
  const alone = await harness.openThread({ person: null });
  alone.change({ approvalPolicy: "untrusted" });
  await runToEnd(await harness.openThread({ parent: alone }), "Touch b");
  expect([ofHarness.asked, ofParent.asked]).toEqual([[], ["command.approval"]]);
  expect(madeIn(world, "a", "b", "sub/a", "sub/b")).toEqual(["sub/a"]);
});

test("a thread's gate applies to its child threads, before their own", async () => {
  await using world = await openWorld(...write("a"), ...write("b"));
  const hold = { isOn: true };
  const seen: string[] = [];
  const outer = (own: CallGate): CallGate => ({
    judge: async (call, context) =>
      hold.isOn ? { type: "declined", message: "Only reading now." } : own.judge(call, context),
  });
  const inner = (own: CallGate): CallGate => ({
    async judge(call, context) {
      seen.push(call.type);
      return own.judge(call, context);
    },
  });
  await using harness = await world.openHarness();
  const parent = await harness.openThread({ gate: outer });
  const child = await harness.openThread({ parent, gate: inner });
  await runToEnd(child, "Write a");
  hold.isOn = false;
  await runToEnd(child, "Write b");
  expect([madeIn(world, "a", "b"), seen]).toEqual([["b"], ["patch"]]);
});

test("a parent must be a thread", async () => {
  await using world = await openWorld();
  await using harness = await world.openHarness();
  await expect(harness.openThread({ parent: {} as never })).rejects.toThrow(
    "openThread, parent: bounds is missing: it has to be an object.",
  );
});

test("a child writes in no folder that its parent may not write, at each moment", async () => {
  await using world = await openWorld();
  await mkdir(join(world.work, "sub", "deep"));
  const noTemporary = ["exclude_slash_tmp", "exclude_tmpdir_env_var"].map(
    (key) => `sandbox_workspace_write.${key}=true`,
  );
  const permissions = ["sandbox_mode=workspace-write", ...noTemporary];
  await using harness = await world.openHarness({ permissions, config: [] });
  const parent = await harness.openThread();
  const cwd = await realpath(world.work);
  const { config } = parent;
  const { sandboxSettings } = config;
  const inFolder = (folder: string, ...more: readonly string[]): Promise<Thread> =>
    harness.openThread({
      parent,
      config: { ...config, cwd: folder, sandboxSettings: { ...sandboxSettings, writableRoots: more } },
    });
  const children = [await inFolder(join(cwd, "sub")), await inFolder(world.home), await inFolder(world.home, cwd)];
  const rootsOf = ({ bounds }: Thread): unknown => {
    const { policy } = bounds.settings.sandbox;
    return policy.mode === "workspace-write" ? policy.roots.map(({ path }) => path.slice(cwd.length)) : policy.mode;
  };
  expect(children.map(rootsOf)).toEqual([["/sub"], "read-only", [""]]);
  parent.change({ cwd: "sub/deep" });
  expect(children.map(rootsOf)).toEqual([["/sub/deep"], "read-only", ["/sub/deep"]]);
  parent.change({ sandboxMode: "read-only" });
  expect(children.map(rootsOf)).toEqual(["read-only", "read-only", "read-only"]);
});
