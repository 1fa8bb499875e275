import { toCommandFile } from "@unroll/process-tree";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { SandboxPolicy } from "@unroll/protocol";
import { explainSandbox, probeSandbox, type SandboxBackend } from "@unroll/sandbox";
import { adviseInstalled, adviseOn } from "../../src/probe/advise.ts";
import { probed, readOnlyPolicy } from "../fixture/probed-sandbox.ts";
import { createSandboxFixture, landlock, whyNoSandbox } from "../fixture/sandbox.ts";

const probe = fileURLToPath(new URL("../fixture/probe.ts", import.meta.url));

/** As in a container that refuses namespaces. */
async function probeInside(allowWeaker: "weaker" | "not"): Promise<SandboxBackend> {
  await using sandbox = await createSandboxFixture();
  const { outcome } = await sandbox.run(
    `container=docker ${process.execPath} -C @unroll/source ${probe} ${sandbox.workspace} ${allowWeaker}`,
  );
  if (outcome.type !== "exited") throw new Error(outcome.type);
  return JSON.parse(outcome.output.text) as SandboxBackend;
}

/** Whether every user may come to a file. */
function isOpen(path: string): boolean {
  const folder = dirname(path);
  return folder === path || ((statSync(folder).mode & 1) === 1 && isOpen(folder));
}

/** A project with a launcher of its own, which is first on PATH in `npm run`; not in the temporary folder. */
function createProject(): Disposable & { readonly path: string } {
  const folder = mkdtempDisposableSync("/var/tmp/unroll-project-");
  for (const each of ["packages/app", "node_modules/.bin"]) mkdirSync(join(folder.path, each), { recursive: true });
  const planted = join(folder.path, "node_modules/.bin/bwrap");
  writeFileSync(planted, `#!/bin/sh\ntouch ${folder.path}/ran\n`, { mode: 0o755 });
  return folder;
}

async function probeIn(project: string, options: { readonly bubblewrap?: string }): Promise<SandboxBackend> {
  return probeSandbox({
    policy: readOnlyPolicy,
    cwd: join(project, "packages/app"),
    stateFolder: join(project, "state"),
    environment: { PATH: `${project}/node_modules/.bin:${process.env["PATH"]}` },
    createId: randomUUID,
    ...options,
  });
}

/** As in a container whose /proc is covered: a test cannot make a machine with its own launcher there. */
const hasNoProc = probed.type === "bubblewrap" && !probed.hasOwnProc;

describe.skipIf(whyNoSandbox !== null)("the probe", () => {
  it.skipIf(userInfo().uid !== 0 || ![process.execPath, probe].every(isOpen))(
    "works for a user whom the system has no name for, as containers have them",
    async () => {
      using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-nameless-"));
      chmodSync(folder.path, 0o777);
      const nameless = { uid: 54_321, gid: 54_321 };
      const program = ["-C", "@unroll/source", probe, folder.path];
      const { stdout } = await promisify(execFile)(process.execPath, program, { ...nameless, cwd: folder.path });
      expect(JSON.parse(stdout)).toMatchObject({ type: "bubblewrap", isRoot: false });
    },
  );

  it("says what is refused and what to do about it", async () => {
    expect(await probeInside("not")).toEqual({
      type: "unavailable",
      reason: expect.stringMatching(/bwrap fails: bwrap: .+/) as string,
      remedy:
        "Start the container with --security-opt seccomp=unconfined --security-opt systempaths=unconfined (not tried here). " +
        "You can accept the weaker sandbox, which works here: set sandbox.allow_weaker = true. " +
        "If the container is isolation enough, use --sandbox danger-full-access.",
    });
  });

  it.skipIf(hasNoProc)(
    "reads the /proc around it where no new one can be mounted, and always in a user namespace",
    async () => {
      using folder = createProject();
      // As in a container: a part of /proc is covered, which a new one would uncover, and root may not mount.
      const cover = ["--proc", "/proc", "--ro-bind", "/dev/null", "/proc/version"];
      const covered = [
        "--dev-bind",
        "/",
        "/",
        "--unshare-user",
        "--unshare-pid",
        ...cover,
        "--cap-drop",
        "CAP_SYS_ADMIN",
      ];
      const program = [process.execPath, "-C", "@unroll/source", probe, join(folder.path, "packages/app")];
      const { stdout } = await promisify(execFile)("/usr/bin/bwrap", [...covered, "--", ...program]);
      expect(JSON.parse(stdout)).toEqual({
        ...probed,
        hasFreeProcesses: false,
        withUserNamespace: true,
        withoutUserNamespace: false,
        hasOwnProc: false,
      });
    },
  );

  it.skipIf(probed.type !== "bubblewrap")("names the folders whose disks are full", async () => {
    using folder = createProject();
    const full = ["state", "spare"].map((name) => join(folder.path, name));
    for (const each of full) mkdirSync(each);
    const mounts = full.flatMap((path) => ["--size", "4096", "--tmpfs", path]);
    const fill = full.map((path) => `head -c 9999 /dev/zero > ${path}/all 2> /dev/null`).join("; ");
    const run = `${fill}; exec env spare=${full[1]} ${process.execPath} -C @unroll/source ${probe} ${folder.path}`;
    const mounted = ["--unshare-user", "--dev-bind", "/", "/", ...mounts, "sh", "-c", run];
    const { stdout } = await promisify(execFile)("/usr/bin/bwrap", mounted);
    expect(JSON.parse(stdout)).toEqual({
      type: "unavailable",
      reason: expect.stringContaining(
        `bwrap fails: ${full.map((path) => `${path}: no space left on the disk`).join("; ")}.`,
      ) as string,
      remedy: "Free space there, or set TMPDIR to another folder.",
    });
  });

  it("takes the weaker sandbox only when that was asked for", async () => {
    expect(await probeInside("weaker")).toEqual({
      type: "landlock",
      file: expect.stringMatching(/perl/) as string,
      architecture: process.arch,
      reason: expect.stringContaining("bwrap fails") as string,
      remedy:
        "Start the container with --security-opt seccomp=unconfined --security-opt systempaths=unconfined (not tried here). " +
        "If the container is isolation enough, use --sandbox danger-full-access.",
    });
  });

  it.skipIf(probed.type !== "bubblewrap")(
    "takes the system's launcher in a workspace that holds it, but never as root",
    async () => {
      await using sandbox = await createSandboxFixture();
      const { environment, policy } = sandbox;
      const stateFolder = `${sandbox.base}/state`;
      const options = { policy, stateFolder, environment, createId: randomUUID };
      const file = probed.type === "bubblewrap" ? probed.file : "";
      const remedy = expect.stringMatching(
        /^Work in a folder that does not hold it, .* out of writable_roots\./,
      ) as string;
      expect(await probeSandbox({ ...options, cwd: dirname(file) })).toEqual(
        userInfo().uid !== 0
          ? probed
          : {
              type: "unavailable",
              reason: `The program ${file} lies in a folder that commands may write, so they could replace it.`,
              remedy,
            },
      );
    },
  );

  it("never takes a launcher from PATH, where npm run puts the node_modules of the folders around", async () => {
    using folder = createProject();
    expect(await probeIn(folder.path, {})).toEqual(probed);
    expect(existsSync(join(folder.path, "ran"))).toBe(false);
  });

  it("takes the launcher that the user's own config names, where no command can write it", async () => {
    using folder = createProject();
    const own = join(folder.path, "own/bwrap");
    mkdirSync(dirname(own));
    copyFileSync("/usr/bin/bwrap", own);
    chmodSync(own, 0o755);
    expect(await probeIn(folder.path, { bubblewrap: own })).toEqual({ ...probed, file: own });
    const within = join(folder.path, "packages/app/bwrap");
    copyFileSync(own, within);
    expect(await probeIn(folder.path, { bubblewrap: within })).toMatchObject({
      type: "unavailable",
      reason: `The program ${within} lies in a folder that commands may write, so they could replace it.`,
    });
    const missing = join(folder.path, "nowhere/bwrap");
    expect(await probeIn(folder.path, { bubblewrap: missing })).toMatchObject({
      type: "unavailable",
      reason: `The program ${missing} does not exist, but programs.bwrap in your config names it.`,
    });
  });

  it.skipIf(hasNoProc).each([
    ["one of the user's own, with the line that allows it", "own"],
    ["one that a project can have put there, and no such line", "node_modules/.bin"],
  ])("names where the system has none: %s", async (_, where) => {
    using folder = createProject();
    const file = join(folder.path, where, "bwrap");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\ntouch ${folder.path}/ran\n`, { mode: 0o755 });
    // A machine without bubblewrap: a device takes its place.
    const program = [process.execPath, "-C", "@unroll/source", probe, join(folder.path, "packages/app")];
    const hidden = ["--dev-bind", "/", "/", "--dev-bind", "/dev/null", "/usr/bin/bwrap"];
    const { stdout } = await promisify(execFile)("/usr/bin/bwrap", [...hidden, "--", ...program], {
      env: { PATH: `${dirname(file)}:/usr/bin:/bin` },
    });
    const isOwn = where === "own";
    const { reason, remedy } = JSON.parse(stdout) as { readonly reason: string; readonly remedy: string };
    expect(reason).toContain(
      isOwn ? `The program ${file} is not the system's own` : "The program bwrap was not found.",
    );
    expect(reason).toContain(file);
    expect(remedy).toContain("apt-get install bubblewrap");
    expect(remedy.includes(`[programs] bwrap = "${file}"`)).toBe(isOwn);
    expect(existsSync(join(folder.path, "ran"))).toBe(false);
  });

  it("never takes a launcher that a command could have put there", async () => {
    await using sandbox = await createSandboxFixture({
      setup:
        "mkdir -p work/bin; printf '#!/bin/sh\\ntouch ../outside/ran\\n' > work/bin/bwrap; chmod +x work/bin/bwrap",
    });
    const backend = await probeSandbox({
      policy: sandbox.policy,
      cwd: sandbox.workspace,
      stateFolder: `${sandbox.base}/state`,
      environment: { PATH: `${sandbox.workspace}/bin:bin:${sandbox.environment["PATH"]}` },
      createId: randomUUID,
    });
    expect(backend).toEqual(probed);
    expect(await sandbox.host("ls ../outside")).toBe("");
  });
});

describe.skipIf(whyNoSandbox !== null)("the weaker sandbox", () => {
  it("keeps writes in and the network out", async () => {
    await using sandbox = await createSandboxFixture({ backend: landlock, settings: { allowWeaker: true } });
    const { outcome } = await sandbox.run(
      "echo $LANG; touch in; touch ../outside/x; exec 3<>/dev/tcp/127.0.0.1/9; exit 3",
    );
    expect(outcome).toMatchObject({ type: "exited", denial: { kind: "filesystem", confidence: "likely" } });
    expect(await sandbox.host("ls . ../outside")).toBe(".:\nin\n\n../outside:\n");
    expect(outcome.type === "exited" && outcome.output.text).toMatch(
      /^C.UTF-8\n.*Permission denied\n.*Operation not permitted\n/s,
    );
  });

  it.skipIf(userInfo().uid !== 0)(
    "lets root write in a workspace of another user, without the rights to change files outside (needs root)",
    async () => {
      await using sandbox = await createSandboxFixture({ backend: landlock, settings: { allowWeaker: true } });
      chownSync(sandbox.workspace, 1234, 1234);
      await sandbox.host(
        "echo x > ../outside/x; chown 1234 ../outside/x; echo s > secret; chown 1234 secret; chmod 400 secret",
      );
      const { outcome } = await sandbox.run(
        "exec 2>&1; cat secret; echo x > in && ls; chmod 777 ../outside/x; chown 0 ../outside/x; rm -f ../outside/x; grep CapEff /proc/self/status",
      );
      expect(outcome.type === "exited" && outcome.output.text).toMatch(
        /^s\nin\nsecret\nchmod: .* not permitted\nchown: .* not permitted\nrm: .* denied\nCapEff:\t0{15}2\n$/,
      );
      const { policy, environment, workspace: cwd } = sandbox;
      const told = await explainSandbox({ policy, environment, cwd, createId: randomUUID, backend: landlock });
      expect(told.doesNotEnforce).toContain(
        "A writable folder belongs to another user, so root's commands keep the right to read files of every user.",
      );
    },
  );

  it("is refused unless it was asked for", async () => {
    await using sandbox = await createSandboxFixture({ backend: landlock });
    expect((await sandbox.run("true")).outcome).toEqual({
      type: "refused",
      message:
        "The command was not run: only a weaker sandbox can be had: Testing. To accept it, set sandbox.allow_weaker = true.",
    });
  });

  it("still lets no later git run something", async () => {
    await using sandbox = await createSandboxFixture({
      backend: landlock,
      settings: { allowWeaker: true },
      setup: "git init -q work",
    });
    await sandbox.run("git config alias.x '!x'; cp /bin/true .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit");
    expect(await sandbox.host("git config alias.x || echo none; ls .git/hooks | grep -v sample")).toBe(
      "none\npre-commit.quarantined\n",
    );
  });
});

describe("advice", () => {
  it.each([
    ["bwrap: No permissions to create new namespace, likely because the kernel does not allow it.", /^Start the con/],
    ["bwrap: setting up uid map: Permission denied", /^Start the container/],
    ["bwrap: setting up uid map: Operation not permitted", /^Start the container as an ordinary user .*SETFCAP/],
    ["bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", /^Start the container/],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", /^Start the container/],
    ["bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded", /^Start the/],
    ["bwrap: Unknown option --json-status-fd", /^Update bubblewrap/],
    ["bwrap: Can't open file: Too many open files", /^Raise the limit/],
    ["bwrap: Creating new namespace failed: Resource temporarily unavailable", /^$/],
    ["bwrap: Can't mkdir /var: Read-only file system", /^$/],
    ["it does not end", /^$/],
  ])("follows from the cause, and an unknown one gets none: %s", (failure, advice) => {
    expect(adviseOn(failure, "container")).toMatch(advice);
  });

  it("names what refuses namespaces, for a program that is missing, too", () => {
    const refused = "bwrap: setting up uid map: Permission denied";
    expect(adviseOn(refused, "apparmor")).toContain("apparmor_parser");
    expect(adviseOn(refused, "no user namespaces")).toContain("sysctl -w user.max_user_namespaces");
    expect(adviseOn(refused, "machine")).toBe("");
    expect(adviseInstalled(false, "container")).toEqual([
      "The namespaces that it needs are refused here, so that alone is not enough.",
      adviseOn(refused, "container"),
    ]);
    expect(adviseInstalled(true, "container")).toEqual(["The namespaces that it needs work here."]);
  });
});

it("an unavailable sandbox refuses commands with its remedy", async () => {
  const backend: SandboxBackend = { type: "unavailable", reason: "It is gone.", remedy: "Fetch it." };
  await using sandbox = await createSandboxFixture({ backend });
  expect((await sandbox.run("true")).outcome).toEqual({
    type: "refused",
    message:
      "The command was not run: the sandbox mode is workspace-write, and there is no sandbox here: It is gone. Fetch it.",
  });
});

it("explains itself", async () => {
  await using sandbox = await createSandboxFixture({ setup: "git init -q work; echo > secret" });
  const limits = { maxProcesses: null, maxMemoryMb: null, maxTotalMemoryMb: null };
  const policy = { ...sandbox.policy, limits, hidden: [`${sandbox.base}/secret`, `${sandbox.workspace}/.env`] };
  const options = {
    backend: {
      type: "bubblewrap",
      file: toCommandFile("/usr/bin/bwrap"),
      architecture: "x64",
      isRoot: false,
      hasFreeProcesses: false,
      withUserNamespace: true,
      withoutUserNamespace: false,
      hasOwnProc: true,
    },
    cwd: sandbox.workspace,
    environment: {},
    createId: () => "explain",
    groups: {
      around: { memoryBytes: null, processes: null },
      own: { hold: { processes: null, memory: null }, obstacle: null },
    },
  } as const;
  const explain = async (each: SandboxPolicy) =>
    JSON.parse(
      JSON.stringify(await explainSandbox({ ...options, policy: each }))
        .replaceAll(sandbox.base, "BASE")
        // The entries there differ from machine to machine.
        .replaceAll(/"--ro-bind-try",("\/run\/[^"]+",){2}/g, ""),
    ) as unknown;
  expect(await explain(policy)).toMatchSnapshot("workspace-write");
  const told = await explainSandbox({
    ...options,
    policy: {
      ...policy,
      hidden: [],
      limits: { maxProcesses: 77, maxMemoryMb: 512, maxTotalMemoryMb: null },
    } as SandboxPolicy,
    groups: { ...options.groups, around: { memoryBytes: 2 ** 30, processes: 99 } },
  });
  expect({ enforces: told.enforces.slice(-4), missing: told.doesNotEnforce.slice(0, 1) }).toMatchSnapshot("limits");
  expect(await explain({ mode: "danger-full-access" })).toMatchSnapshot("danger-full-access");
});
