import { setImmediate as rest } from "node:timers/promises";
import { realpath } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { findPermissions } from "@unroll/config";
import { drain } from "@unroll/flow";
import { openFileFinder } from "@unroll/program";
import { RequestFault } from "@unroll/thread-host/wire";
import { withWireSandbox } from "../map/to-wire-policy.ts";
import { checkPath } from "./fs-methods.ts";
import type { MethodTable } from "./method.ts";

const maxFound = 50;
/** In ms. */
const defaultTimeoutMs = 60_000;
const maxOutputBytes = 1024 * 1024;
/** Scores on the wire are integers. */
const scoreScale = 1_000_000;
/** As `timeout` exits. */
const timedOut = 124;

export const fileMethods: MethodTable<"fuzzyFileSearch" | "command/exec"> = {
  async fuzzyFileSearch({ query, roots }, context) {
    const { threadHost, io, client } = context;
    const { ended: signal } = client;
    const { openNameGate } = await import("@unroll/harness");
    const searches = roots.map(async (root) => {
      const folder = await realpath(resolve(io.cwd, root)).catch(() => null);
      if (folder === null) return [];
      const mayName = await openNameGate(await checkPath(folder, context));
      const isShown = (path: string): boolean => mayName(join(folder, path));
      const finder = openFileFinder(folder, { hasFolders: true, env: threadHost.host.env, signal, isShown });
      await finder.listed;
      const search = finder.search(query, maxFound);
      while (search.step() === "more" && !signal.aborted) await rest(); // lets other work of this process run
      return search.found.map(({ path, isFolder, score, places }) => ({
        root,
        path,
        match_type: isFolder ? ("directory" as const) : ("file" as const),
        file_name: basename(path),
        score: Math.round(score * scoreScale),
        indices: [...places],
      }));
    });
    const found = (await Promise.all(searches)).flat();
    return { result: { files: found.toSorted((a, b) => b.score - a.score).slice(0, maxFound) } };
  },

  async "command/exec"(
    { command: argv, cwd, timeoutMs, sandboxPolicy, permissionProfile },
    { threadHost, client, signal },
  ) {
    const { openSandbox } = await import("@unroll/harness");
    const config = await threadHost.loadConfig(cwd ?? null);
    const { sandboxSettings: own } = permissionProfile ? findPermissions(config, permissionProfile) : config;
    const sandboxSettings = sandboxPolicy ? withWireSandbox(own, sandboxPolicy) : own;
    await using sandbox = await openSandbox({ ...config, sandboxSettings }, threadHost.host);
    const runner = await sandbox.openRunner();
    const limits = { timeoutMs: timeoutMs ?? defaultTimeoutMs, maxOutputBytes };
    const spec = { argv, cwd: config.cwd, ...limits, confinement: "policy" } as const;
    const outcome = await drain(runner.run(spec, AbortSignal.any([signal, client.ended])));
    if (outcome.type === "not_started" || outcome.type === "refused")
      throw new RequestFault("invalidRequest", `command: ${outcome.message}`);
    const exitCode = outcome.type === "exited" ? outcome.exitCode : timedOut;
    return { result: { exitCode, stdout: outcome.output.text, stderr: "" } };
  },
};
