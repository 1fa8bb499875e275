// Runs one command in the sandbox, on its own standard streams: node -C @unroll/source confine.mjs '{"policy": …}' -- cmd…
// The JSON: {policy, network, hosts?, cwd, writableRoots, tmpdir, git?, backend?, limits?}.
import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { scrubInheritedFds } from "../../packages/process-tree/src/index.ts";
import {
  createCommandRunner,
  findStateFolder,
  probeSandbox,
  resolveSandboxPolicy,
} from "../../packages/sandbox/src/index.ts";

scrubInheritedFds([]);
const [setting, , ...argv] = process.argv.slice(2);
const options = JSON.parse(setting);
const { UNROLL_CASE: _, ...inherited } = process.env;
const environment = { ...inherited, TMPDIR: options.tmpdir };
const stateFolder = findStateFolder(join(homedir(), ".cache/unroll-conformance"));
const settings = {
  mode: options.policy,
  networkAccess: options.network,
  ...(options.hosts && { hosts: options.hosts }),
  writableRoots: options.writableRoots,
  excludeSlashTmp: false,
  excludeTmpdirEnvVar: false,
  git: options.git ?? "writable",
  denyRead: options.denyRead ?? [],
  allowWeaker: options.allowWeaker ?? false,
  limits: options.limits ?? { maxProcesses: 4096, maxMemoryMb: null, maxTotalMemoryMb: "most" },
};
const { cwd } = options;
const { policy, warnings } = resolveSandboxPolicy(settings, {
  cwd,
  temporaryFolder: options.tmpdir ?? null,
  homeDirectory: homedir(),
  codexHome: join(homedir(), ".codex"),
  stateFolder,
  ownFolders: [],
});
for (const warning of warnings) process.stderr.write(`${warning}\n`);
const backend =
  options.backend ?? (await probeSandbox({ policy, cwd, stateFolder, environment, createId: randomUUID }));
const stop = new AbortController();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => stop.abort());
// If the parent process is killed, nobody needs the command any more.
const parent = process.ppid;
setInterval(() => process.ppid === parent || stop.abort(), 100).unref();

const runner = createCommandRunner({
  policy,
  environment,
  sandbox: { backend, stateFolder },
  elapsed: () => performance.now(),
  createId: randomUUID,
});
const spec = { argv, cwd, timeoutMs: 600_000, maxOutputBytes: 100_000, confinement: "policy" };
const outcome = await runner.runAttached(spec, stop.signal);
await runner[Symbol.asyncDispose]();
process.stderr.write("output" in outcome ? outcome.output.text : `${outcome.message}\n`);
process.exitCode = outcome.type === "exited" ? outcome.exitCode : 71;
