import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createWritableRoots } from "@unroll/approval/node";
import { renderPermissionsChange } from "@unroll/prompt";
import type { SandboxPolicy, SandboxSettings } from "@unroll/protocol";
import {
  canRead,
  canWrite,
  createCommandRunner,
  explainSandbox,
  resolveSandboxPolicy,
  type SandboxBackend,
} from "@unroll/sandbox";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hasSandbox, probed } from "@unroll/sandbox/fixture/probed-sandbox";

/** The world of one run, below a folder of its own. */
const folders = ["a", "b"].flatMap((x) => [
  x,
  ...["a", "b"].flatMap((y) => [`${x}/${y}`, `${x}/${y}/a`, `${x}/${y}/b`]),
]);
const missing = ["a/new", "b/a/new", "b/none/new"];
const links = ["link", "a/link"];

const folder = fc.constantFrom(...folders);
const place = fc.oneof({ weight: 4, arbitrary: folder }, fc.constantFrom(...missing, ...links));
const worlds = fc.record({
  targets: fc.tuple(folder, folder),
  cwd: folder,
  temporaryFolder: fc.option(place),
  homeDirectory: folder,
  codexHome: fc.oneof(fc.constant(null), place),
  stateFolder: folder.map((path) => `${path}/state`),
  ownFolders: fc.array(place, { maxLength: 1 }),
  settings: fc.record({
    mode: fc.constantFrom("workspace-write", "workspace-write", "workspace-write", "read-only"),
    networkAccess: fc.boolean(),
    writableRoots: fc.array(place, { maxLength: 3 }),
    excludeSlashTmp: fc.constant(true), // harnesses with another state folder use it, too
    excludeTmpdirEnvVar: fc.boolean(),
    git: fc.constantFrom("writable", "protected"),
    denyRead: fc.array(
      fc.oneof(
        place,
        folder.map((path) => `${path}/text`),
      ),
      { maxLength: 2 },
    ),
    allowWeaker: fc.constant(false),
    limits: fc.constant({ maxProcesses: null, maxMemoryMb: null, maxTotalMemoryMb: null }),
  }),
});
type World = typeof worlds extends fc.Arbitrary<infer Value> ? Value : never;

/** The workspace is the home, and a link hides all of it: what is kept absent lies in a folder that nobody may write. Found by a seed. */
const hiddenHome: World = {
  targets: ["a", "a"],
  cwd: "a",
  temporaryFolder: null,
  homeDirectory: "a",
  codexHome: null,
  stateFolder: "a/state",
  ownFolders: [],
  settings: {
    mode: "workspace-write",
    networkAccess: false,
    writableRoots: [],
    excludeSlashTmp: true,
    excludeTmpdirEnvVar: false,
    git: "writable",
    denyRead: ["link"],
    allowWeaker: false,
    limits: { maxProcesses: null, maxMemoryMb: null, maxTotalMemoryMb: null },
  },
};

/** `UNROLL_PROPERTY_RUNS=200` looks longer. */
const numRuns = Number(process.env["UNROLL_PROPERTY_RUNS"] ?? 20);

const environment = { PATH: process.env["PATH"] ?? "" };

test.skipIf(!hasSandbox)(
  "what the prompt says, what `sandbox --explain` says, what a command may do and what a patch may do are the same, for any policy",
  async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        compared += await compare(world, probed);
      }),
      { numRuns, examples: [[hiddenHome]] },
    );
    // Else it would prove nothing: few worlds may be refused, for a link that nothing can hold.
    expect(compared).toBeGreaterThan(numRuns / 2);
  },
);

/** Paths that commands may write under a watch, and that patches ask about: docs/sandbox.md, "Patches". */
const wary = ["HEAD", "bare/HEAD", "bare/objects/text", "bare/hooks/text", ".CODEX/text", "a/.Agents/text"];
const names = [...wary, "text", "a/text", "objects/text", ".git/config", ".codex/text"];

test("a patch writes nothing unasked that a command may not write; less only where git or the harness would obey it", () => {
  const asked = new Set<string>();
  fc.assert(
    fc.property(worlds, (world) => {
      const base = realpathSync(mkdtempSync(join(tmpdir(), "unroll-policy-")));
      const at = (path: string): string => join(base, path);
      try {
        for (const path of folders) mkdirSync(at(`${path}/bare/objects`), { recursive: true });
        for (const path of folders) writeFileSync(at(`${path}/bare/HEAD`), "ref: refs/heads/main\n");
        links.forEach((link, index) => symlinkSync(at(world.targets[index] ?? "a"), at(link)));
        const { policy } = resolve(world, at);
        const patches = createWritableRoots(policy, at(world.homeDirectory));
        const places = folders.flatMap((folder) => names.map((name) => ({ path: at(`${folder}/${name}`), name })));
        for (const { path, name } of places) {
          const isPatched = patches.isWritable(path);
          if (isPatched === canWrite(policy, path)) continue;
          expect({ path, isPatched, isWary: wary.includes(name) }).toEqual({ path, isPatched: false, isWary: true });
          asked.add(name);
        }
      } finally {
        rmSync(base, { recursive: true, force: true });
      }
    }),
    { numRuns },
  );
  expect([...asked]).toEqual(expect.arrayContaining(["HEAD", "bare/HEAD", "bare/objects/text"]));
});

/** How many worlds were compared: one, or none where its commands are refused. */
async function compare(world: World, backend: SandboxBackend): Promise<number> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "unroll-policy-")));
  const at = (path: string): string => join(base, path);
  try {
    for (const path of folders) {
      mkdirSync(at(path), { recursive: true });
      writeFileSync(at(`${path}/text`), "text\n");
    }
    links.forEach((link, index) => symlinkSync(at(world.targets[index] ?? "a"), at(link)));
    const { policy } = resolve(world, at);
    const notYetThere = listHidden(policy).filter((path) => !existsSync(path));
    const ran = await runProbes({ policy, backend, stateFolder: at(world.stateFolder) }, listProbes(base, policy));
    const explanation = await explainSandbox({ policy, backend, cwd: "/", environment, createId: randomUUID });
    expect({ world, isRefused: explanation.refusal !== null }).toEqual({ world, isRefused: ran === null });
    if (ran === null) return 0;
    const told = readPrompt(policy);
    const explained = readExplanation(explanation.enforces);
    const patches = createWritableRoots(policy, at(world.homeDirectory));
    for (const { path, realPath, written, read } of ran) {
      const where = `${path.slice(base.length)} in ${JSON.stringify(world)}`;
      const allowed = canWrite(policy, realPath);
      // A command may still create a file that would be hidden once it exists.
      const mayBeWritten = !allowed && notYetThere.some((hidden) => isIn(realPath, hidden)) ? written : allowed;
      expect({
        where,
        told: told(realPath),
        explained: explained(realPath),
        patched: patches.isWritable(realPath),
        written,
        read,
      }).toEqual({
        where,
        told: allowed,
        explained: allowed,
        patched: allowed,
        written: mayBeWritten,
        read: read === null ? null : canRead(policy, realPath),
      });
    }
    return 1;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function resolve({ settings, ...world }: World, at: (path: string) => string): { readonly policy: SandboxPolicy } {
  const found: SandboxSettings = {
    ...settings,
    writableRoots: settings.writableRoots.map(at),
    denyRead: settings.denyRead.map(at),
  };
  return resolveSandboxPolicy(found, {
    cwd: at(world.cwd),
    temporaryFolder: world.temporaryFolder === null ? null : at(world.temporaryFolder),
    homeDirectory: at(world.homeDirectory),
    codexHome: at(world.codexHome ?? `${world.homeDirectory}/.codex`),
    stateFolder: at(world.stateFolder),
    ownFolders: world.ownFolders.map(at),
  });
}

interface Probe {
  readonly path: string;
  readonly realPath: string;
}

/** Files to write, and those of them to read that are there. */
function listProbes(base: string, policy: SandboxPolicy): readonly Probe[] {
  // Nobody gets through a link that is hidden, wherever it leads.
  const open = links.filter((link) => canRead(policy, join(toRealPath(join(base, dirname(link))), basename(link))));
  return [".", ...folders, ...missing, ...open]
    .flatMap((path) =>
      ["probe", "text", ".codex/probe", ".agents/probe", "state/probe"].map((name) => join(base, path, name)),
    )
    .map((path) => ({ path, realPath: toRealPath(path) }));
}

function toRealPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(toRealPath(dirname(path)), basename(path));
}

interface ProbedPath extends Probe {
  readonly written: boolean;
  /** Null: there was nothing to read. */
  readonly read: boolean | null;
}

interface Walls {
  readonly policy: SandboxPolicy;
  readonly backend: SandboxBackend;
  readonly stateFolder: string;
}

/** Tries everything out in one command. Null where it was refused. */
async function runProbes(
  { policy, backend, stateFolder }: Walls,
  probes: readonly Probe[],
): Promise<readonly ProbedPath[] | null> {
  const readable = new Set(probes.map(({ path }) => path).filter((path) => existsSync(path)));
  await using runner = createCommandRunner({
    policy,
    environment,
    sandbox: { backend, stateFolder },
    elapsed: () => performance.now(),
    createId: randomUUID,
  });
  const script = `
mkdir -p -- "\${@%/*}" 2>/dev/null
exec 2>/dev/null
for path; do
  { read -r line < "$path"; } && [ "$line" = text ] && echo "r $path"
  { : >> "$path"; } && echo "w $path"
done
exit 0`;
  const argv = ["bash", "-c", script, "bash", ...probes.map(({ path }) => path)];
  const spec = { argv, cwd: "/", timeoutMs: 30_000, maxOutputBytes: 1_000_000, confinement: "policy" } as const;
  const running = runner.run(spec, new AbortController().signal);
  let next = await running.next();
  while (next.done !== true) next = await running.next();
  const outcome = next.value;
  if (outcome.type === "refused") {
    expect(outcome.message).toContain("is a symlink, which cannot be protected");
    return null;
  }
  expect(outcome).toMatchObject({ type: "exited", exitCode: 0 });
  const lines = new Set(outcome.type === "exited" ? outcome.output.text.split("\n") : []);
  return probes.map((probe) => ({
    ...probe,
    written: lines.has(`w ${probe.path}`),
    read: readable.has(probe.path) ? lines.has(`r ${probe.path}`) : null,
  }));
}

/** Which paths are writable according to the prompt alone. */
function readPrompt(policy: SandboxPolicy): (path: string) => boolean {
  const { content } = renderPermissionsChange({ sandboxPolicy: policy, approvalPolicy: "never" });
  const text = content.map((part) => ("text" in part ? part.text : "")).join("");
  const listAfter = (words: string): readonly string[] => {
    const [, rest = ""] = text.split(`${words}:\n`);
    return [...(/^(?:- .*\n?)*/.exec(rest)?.[0] ?? "").matchAll(/- (.*)/g)].map(([, path = ""]) => path);
  };
  const roots = listAfter("where patches apply too");
  const kept = [
    ...roots.flatMap((root) => [".codex", ".agents"].map((name) => join(root, name))),
    ...listAfter("for the same reason"),
  ];
  return toJudgement({ roots, kept, hidden: listAfter("do not look for copies") });
}

/** Which paths are writable according to `sandbox --explain` alone. */
function readExplanation(enforces: readonly string[]): (path: string) => boolean {
  const listAfter = (words: string): readonly string[] => {
    const sentence = enforces.find((each) => each.startsWith(words));
    return sentence?.slice(words.length, -1).trim().split(", ") ?? [];
  };
  const roots = listAfter("Commands can write only in");
  expect(roots.length === 0).toBe(enforces.includes("Commands cannot write any file."));
  const kept = listAfter("Even there, they cannot write");
  return toJudgement({ roots, kept, hidden: listAfter("Commands cannot read") });
}

interface Told {
  readonly roots: readonly string[];
  /** In the roots, but not to be written. */
  readonly kept: readonly string[];
  readonly hidden: readonly string[];
}

/** A root in what is hidden can be written. */
function toJudgement({ roots, kept, hidden }: Told): (path: string) => boolean {
  return (path) => {
    const around = roots.filter((root) => isIn(path, root));
    const isHidden = hidden.some(
      (each) => isIn(path, each) && !around.some((root) => root !== each && isIn(root, each)),
    );
    return around.length > 0 && !isHidden && !kept.some((each) => isIn(path, each));
  };
}

function listHidden(policy: SandboxPolicy): readonly string[] {
  return policy.mode === "danger-full-access" ? [] : policy.hidden;
}

function isIn(path: string, around: string): boolean {
  return path === around || path.startsWith(`${around}/`);
}
