import { cp, type DisposableTempDir, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runExec } from "@unroll/exec";
import { createHost, loadProgramConfig, type ProcessIo, ProgramError } from "@unroll/program";
import { describeSystemError } from "@unroll/text";

/** Beside the bundle; from sources, `tooling/bundle.mjs` has put it there. */
const sampleProject = new URL("../sample-project/", import.meta.url);

const task =
  // structure-ignore idioms: for the model
  "Fix the failing test of this project: find the cause and mend that, not the test. Show that all tests pass.";

/** Runs the task and returns its exit code. The copy is removed in the end; with a config that cannot be used, none is made. */
export async function runDemo(io: ProcessIo): Promise<number> {
  await loadProgramConfig({}, createHost(io));
  await using folder = await makeFolder(tmpdir());
  const copy = join(folder.path, "sample-project");
  await cp(fileURLToPath(sampleProject), copy, { recursive: true });
  io.stderr.stream.write(`A copy of the sample project is in ${copy}\nThe task: ${task}\n\n`);
  // The copy is all that the weaker sandbox would risk. It is announced.
  const sandbox = { sandbox: "workspace-write", config: ["sandbox.allow_weaker=true"] } as const;
  return await runExec({ prompt: task, cd: copy, ...sandbox, skipGitRepoCheck: true, ephemeral: true }, io);
}

async function makeFolder(parent: string): Promise<DisposableTempDir> {
  try {
    return await mkdtempDisposable(join(parent, "unroll-demo-"));
  } catch (error) {
    const message = `Cannot copy the sample project into ${parent}: ${describeSystemError(error)}. Set TMPDIR to another folder.`;
    throw new ProgramError("output", message, { cause: error });
  }
}
