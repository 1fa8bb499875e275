import { basename } from "node:path";
import { findFiles, runConfined } from "@unroll/thread-host";
import { RequestFault } from "@unroll/thread-host/wire";
import { withWireSandbox } from "../map/to-wire-policy.ts";
import type { MethodTable } from "./method.ts";

const maxFound = 50;
/** Ms that a command has where nothing is said. */
const usualTimeoutMs = 60_000;
/** As `timeout` exits. */
const timedOut = 124;

export const fileMethods: MethodTable<"fuzzyFileSearch" | "command/exec"> = {
  async fuzzyFileSearch({ query: letters, roots }, { threadHost, client }) {
    const found = await findFiles({ roots, letters, limit: maxFound, env: threadHost.host.env }, client.ended);
    const files = found.map(({ root, path, isFolder, score, places }) => ({
      root,
      path,
      match_type: isFolder ? ("directory" as const) : ("file" as const),
      file_name: basename(path),
      score,
      indices: [...places],
    }));
    return { result: { files } };
  },

  async "command/exec"({ command: argv, cwd, timeoutMs, sandboxPolicy: policy }, { threadHost, client, signal }) {
    const own = { argv, cwd: cwd ?? null, timeoutMs: timeoutMs ?? usualTimeoutMs };
    const outcome = await runConfined(
      threadHost,
      { ...own, confine: (settings) => (policy ? withWireSandbox(settings, policy) : settings) },
      AbortSignal.any([signal, client.ended]),
    );
    if (outcome.type === "not_started" || outcome.type === "refused")
      throw new RequestFault("invalidRequest", `command: ${outcome.message}`);
    const exitCode = outcome.type === "exited" ? outcome.exitCode : timedOut;
    return { result: { exitCode, stdout: outcome.output.text, stderr: "" } };
  },
};
