import { basename } from "node:path";
import { runConfined } from "@unroll/front-end";
import { RequestFault } from "@unroll/line-server";
import { openFileFinder } from "@unroll/program";
import { withWireSandbox } from "../map/to-wire-policy.ts";
import type { MethodTable } from "./method.ts";

const maxFound = 50;
/** Ms that a command has where nothing is said. */
const usualTimeoutMs = 60_000;
/** As `timeout` exits. */
const timedOut = 124;

export const fileMethods: MethodTable<"fuzzyFileSearch" | "command/exec"> = {
  async fuzzyFileSearch({ query, roots }, { client }) {
    const ofRoots = roots.map(async (root) => {
      const finder = await openFileFinder(root, { hasFolders: true, signal: client.ended });
      return finder.find(query, maxFound).map(({ path, isFolder, score, places }) => ({
        root,
        path,
        match_type: isFolder ? ("directory" as const) : ("file" as const),
        file_name: basename(path),
        score,
        indices: [...places],
      }));
    });
    const files = (await Promise.all(ofRoots)).flat().toSorted((a, b) => b.score - a.score);
    return { result: { files: files.slice(0, maxFound) } };
  },

  async "command/exec"({ command: argv, cwd, timeoutMs, sandboxPolicy: policy }, { frontEnd, client, signal }) {
    const own = { argv, cwd: cwd ?? null, timeoutMs: timeoutMs ?? usualTimeoutMs };
    const outcome = await runConfined(
      frontEnd,
      { ...own, confine: (settings) => (policy ? withWireSandbox(settings, policy) : settings) },
      AbortSignal.any([signal, client.ended]),
    );
    if (outcome.type === "not_started" || outcome.type === "refused")
      throw new RequestFault("invalidRequest", `command: ${outcome.message}`);
    const exitCode = outcome.type === "exited" ? outcome.exitCode : timedOut;
    return { result: { exitCode, stdout: outcome.output.text, stderr: "" } };
  },
};
