// A launcher for case runners: `build` says what to spawn for a case. UNROLL_GIT=protected asks for the strict form.
import { fileURLToPath } from "node:url";

const confine = fileURLToPath(new URL("confine.mjs", import.meta.url));

export { scrub as init };

async function scrub() {
  const { scrubInheritedFds } = await import("../../packages/process-tree/src/index.ts");
  scrubInheritedFds([]);
}

export function build({ policy, network, cwd, writableRoots, tmpdir, command }) {
  const git = process.env.UNROLL_GIT ?? "writable";
  const setting = JSON.stringify({ policy, network, cwd, writableRoots, tmpdir, git });
  return {
    file: process.execPath,
    args: ["--conditions=@unroll/source", "--disable-warning=ExperimentalWarning", confine, setting, "--", "bash", "-c", command],
  };
}
