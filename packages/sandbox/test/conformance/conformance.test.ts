import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { SandboxSettings } from "@unroll/protocol";
import { createCommandRunner, findStateFolder, resolveSandboxPolicy, type SandboxBackend } from "@unroll/sandbox";
import { waitUntil } from "../fixture/processes.ts";
import { bash } from "../fixture/runner.ts";
import { probed } from "../fixture/probed-sandbox.ts";
import { whyNoSandbox, workspaceWrite } from "../fixture/sandbox.ts";
import { createCaseHost, type CaseHost, type SandboxCase } from "./case-host.ts";

const conformance = new URL("../../../../conformance/sandbox/", import.meta.url);
const cases = JSON.parse(readFileSync(new URL("cases.json", conformance), "utf8")) as SandboxCase[];
const confine = fileURLToPath(new URL("confine.mjs", conformance));
const nodeOptions = ["--conditions=@unroll/source"];

interface Trial extends SandboxCase {
  readonly backend: SandboxBackend;
}

describe.skipIf(whyNoSandbox !== null).concurrent("the sandbox holds", () => {
  const isBound = probed.type === "bubblewrap" && !probed.hasOwnProc;
  it.each(cases.map((example) => ({ ...(isBound ? toBound(example) : example), backend: probed })))(
    "$id is $expect",
    tryOut,
  );
});

/** As in a container where no new `/proc` can be mounted. */
function toBound(example: SandboxCase): SandboxCase {
  return { ...example, expect: example.boundProc ?? example.expect };
}

const bound = { ...probed, withUserNamespace: true, withoutUserNamespace: false, hasOwnProc: false } as SandboxBackend;
const aboutProcesses = cases
  .filter(({ id, command }) => /^(proc|abort|priv)-/.test(id) || command.includes("/proc/"))
  .map((example) => ({ ...toBound(example), backend: bound }));

describe.skipIf(whyNoSandbox !== null).concurrent("the sandbox holds with the /proc around it", () => {
  it.each(aboutProcesses)("$id is $expect", tryOut);
});

async function tryOut(example: Trial): Promise<void> {
  await using host = await createCaseHost(example);
  expect(await host.succeeds(example.setup || "true")).toBe(true);
  expect(await isAllowed(example, host)).toBe(example.expect === "allowed");
  // The next harness removes files that a killed one left in /tmp.
  if (example.abort !== undefined) await runHere({ ...example, command: "true" }, host);
}

/** Runs the command and looks whether it had the effect that the case names. */
async function isAllowed(example: Trial, host: CaseHost): Promise<boolean> {
  const [kind, what = ""] = /^(DURING|UDP|EXIT|ALIVE):(.*)$/s.exec(example.verify ?? "")?.slice(1) ?? [example.verify];
  const run = example.abort || example.leakFd ? runProgram(example, host) : runHere(example, host);
  const seen = kind === "DURING" ? delay(900).then(() => host.succeeds(what)) : undefined;
  const exitCode = await run;
  switch (kind) {
    case undefined:
      return exitCode === 0;
    case "DURING":
      return (await seen) === true;
    case "EXIT":
      return exitCode === Number(what);
    case "UDP":
      // It is in the socket's buffer when its sender has ended, and is read in the next turn of the loop.
      await nextTurn();
      await nextTurn();
      return host.datagrams.includes(host.fill(what));
    case "ALIVE":
      await waitUntil(() => !isNamed(host.fill(what)));
      return false;
    case "VICTIM_DEAD":
      await delay(50);
      return host.victim.signalCode !== null;
    default:
      return host.succeeds(kind);
  }
}

function settingsOf({ policy, network, hosts }: SandboxCase, host: CaseHost): SandboxSettings {
  return {
    ...workspaceWrite,
    excludeSlashTmp: false,
    excludeTmpdirEnvVar: false,
    mode: policy,
    networkAccess: network,
    ...(hosts && { hosts: { allow: hosts.map((each) => host.fill(each)), deny: [] } }),
    writableRoots: [host.folders.EXTRA],
  };
}

async function runHere(example: Trial, host: CaseHost): Promise<number> {
  const { WS, HOME, TMPDIR } = host.folders;
  const stateFolder = findStateFolder(join(HOME, "state"));
  const place = { cwd: WS, temporaryFolder: TMPDIR, homeDirectory: HOME, codexHome: join(HOME, ".codex") };
  const { policy } = resolveSandboxPolicy(settingsOf(example, host), { ...place, stateFolder, ownFolders: [] });
  const path = example.pathPrefix === undefined ? "" : `${host.fill(example.pathPrefix)}:`;
  await using runner = createCommandRunner({
    policy,
    environment: { ...host.environment, PATH: `${path}${host.environment["PATH"]}` },
    sandbox: { backend: example.backend, stateFolder },
    hosts: { resolve: async (name) => (name.endsWith(".example") ? ["127.0.0.1"] : []) },
    elapsed: () => performance.now(),
    createId: randomUUID,
  });
  const start = await runner.startBackgroundCommand(
    bash(host.fill(example.command), { cwd: WS }),
    new AbortController().signal,
  );
  if (start.type !== "opened") return 71;
  if (example.stdin !== undefined) start.session.write(example.stdin);
  let next = await start.session.output.next();
  while (next.done !== true) next = await start.session.output.next();
  return next.value.type === "exited" ? next.value.exitCode : 71;
}

/** As a program of its own, which can be killed, and which inherits a descriptor. */
async function runProgram(example: Trial, host: CaseHost): Promise<number> {
  const { WS, OUT, TMPDIR } = host.folders;
  const { mode, networkAccess, hosts, writableRoots } = settingsOf(example, host);
  const setting = {
    policy: mode,
    network: networkAccess,
    hosts,
    writableRoots,
    cwd: WS,
    tmpdir: TMPDIR,
    backend: example.backend,
  };
  const program = [
    process.execPath,
    ...nodeOptions,
    confine,
    JSON.stringify(setting),
    "--",
    "bash",
    "-c",
    host.fill(example.command),
  ];
  const child = spawn("bash", ["-c", 'exec 200<"$0"; exec "$@"', OUT, ...program], {
    cwd: WS,
    env: host.environment,
    stdio: "ignore",
  });
  const exited = once(child, "exit");
  if (example.abort !== undefined) {
    await waitUntil(() => isNamed(host.fill("{TAG}")));
    child.kill("SIGKILL");
  }
  const [code] = (await exited) as [number | null];
  return code ?? 137;
}

/** Whether a process calls itself `name`. */
function isNamed(name: string): boolean {
  return readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0] === name;
    } catch {
      return false;
    }
  });
}
