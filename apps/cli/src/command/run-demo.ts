import { cp, type DisposableTempDir, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runExec } from "@unroll/exec";
import { type Host, openSandbox, type ResolvedConfig } from "@unroll/harness";
import { createHost, loadProgramConfig, needsDemoModel, type ProcessIo, ProgramError } from "@unroll/program";
import { describeSystemError } from "@unroll/text";

/** Beside the bundle; from sources, `tooling/bundle.mjs` has put it there. */
const sampleProject = new URL("../sample-project/", import.meta.url);

const task =
  // structure-ignore idioms: for the model
  "Fix the failing test of this project: find the cause and mend that, not the test. Show that all tests pass.";

/** Runs the task and returns its exit code. The copy is removed in the end; with a config that cannot be used, none is made. */
export async function runDemo(io: ProcessIo): Promise<number> {
  const host = createHost(io);
  await loadProgramConfig({}, host);
  await using folder = await makeFolder(tmpdir());
  const copy = join(folder.path, "sample-project");
  await cp(fileURLToPath(sampleProject), copy, { recursive: true });
  io.stderr.stream.write(`A copy of the sample project is in ${copy}\nThe task: ${task}\n\n`);
  // The copy is all that the weaker sandbox would risk. It is announced.
  const options = { cd: copy, sandbox: "workspace-write", config: ["sandbox.allow_weaker=true"] } as const;
  const refusal = await findRefusal(await loadProgramConfig(options, host), host);
  if (refusal !== null) io.stderr.stream.write(`${noSandbox}\nWhat is missing: ${refusal}\n\n`);
  // Without a sandbox, that policy lets nothing run but commands that are known to only read.
  const reading = { ...options, sandbox: "danger-full-access", askForApproval: "untrusted" } as const;
  const access = refusal === null ? options : reading;
  return await runExec({ prompt: task, ...access, skipGitRepoCheck: true, ephemeral: true }, io);
}

const noSandbox =
  "No sandbox works here, so the demo only reads: it runs no tests and changes no file. A real model's commands would all be refused.";

/** Why the demo model's commands would be refused; null: they would not, or a real model answers, whose commands stay refused. */
async function findRefusal(config: ResolvedConfig, host: Host): Promise<string | null> {
  if (!(await needsDemoModel(config, host))) return null;
  await using sandbox = await openSandbox(config, host);
  return await sandbox.findRefusal();
}

async function makeFolder(parent: string): Promise<DisposableTempDir> {
  try {
    return await mkdtempDisposable(join(parent, "unroll-demo-"));
  } catch (error) {
    const message = `Cannot copy the sample project into ${parent}: ${describeSystemError(error)}. Set TMPDIR to another folder.`;
    throw new ProgramError("output", message, { cause: error });
  }
}
