import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { drain } from "@unroll/flow";
import { withWireSandbox } from "../map/to-wire-policy.ts";
import { RequestFault } from "@unroll/line-server";
import { defineMethod, type Method } from "./method.ts";

/** How many entries of each root are looked at, and how many files are given back. */
const maxEntries = 50_000;
const maxFound = 50;
/** Folders that hold what nobody wrote by hand. */
const passedOver: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** Files whose path has the letters of the query in their order; what stands together, and in the name, counts more. */
export const searchFiles: Method = defineMethod("fuzzyFileSearch", async ({ query, roots }, { client }) => {
  const files = [];
  for (const root of roots) {
    for await (const entry of walk(root, client.ended)) {
      const score = scorePath(entry.path, query);
      if (score === null) continue;
      const { path, isFolder } = entry;
      const type = isFolder ? ("directory" as const) : ("file" as const);
      files.push({ root, path, match_type: type, file_name: basename(path), score, indices: null });
    }
  }
  files.sort((a, b) => b.score - a.score || a.path.length - b.path.length);
  return { result: { files: files.slice(0, maxFound) } };
});

interface Entry {
  /** In the root. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Breadth first, so that what is near is found also in a huge root. */
async function* walk(root: string, signal: AbortSignal): AsyncGenerator<Entry, void> {
  const folders = [""];
  let seen = 0;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (signal.aborted || (seen += 1) > maxEntries) return;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const isFolder = entry.isDirectory();
      if (isFolder && passedOver.has(entry.name)) continue;
      if (isFolder) folders.push(path);
      yield { path, isFolder };
    }
  }
}

/** Null: a letter is missing. */
function scorePath(path: string, query: string): number | null {
  const [text, wanted] = [path.toLowerCase(), query.toLowerCase()];
  const name = text.lastIndexOf("/") + 1;
  let [at, score] = [0, 0];
  for (const letter of wanted) {
    const found = text.indexOf(letter, at);
    if (found < 0) return null;
    score += 1 + (found === at ? 4 : 0) + (found >= name ? 2 : 0) + (found === name ? 4 : 0);
    at = found + 1;
  }
  return score;
}

/** Ms that a command has where nothing is said. */
const commandTimeoutMs = 60_000;
const maxOutputBytes = 1024 * 1024;

/** One command of the client's own, inside the sandbox of the config or of the policy that is sent. */
export const runCommand: Method = defineMethod("command/exec", async (params, { frontEnd, client, signal }) => {
  const { openSandbox } = await import("@unroll/harness");
  const config = await frontEnd.loadConfig(params.cwd ?? null);
  const { sandboxSettings } = config;
  const settings = params.sandboxPolicy ? withWireSandbox(sandboxSettings, params.sandboxPolicy) : sandboxSettings;
  await using sandbox = await openSandbox({ ...config, sandboxSettings: settings }, frontEnd.host);
  const runner = await sandbox.openRunner();
  const timeoutMs = params.timeoutMs ?? commandTimeoutMs;
  const spec = { argv: params.command, cwd: config.cwd, timeoutMs, maxOutputBytes, confinement: "policy" } as const;
  const outcome = await drain(runner.run(spec, AbortSignal.any([signal, client.ended])));
  if (outcome.type === "not_started" || outcome.type === "refused")
    throw new RequestFault("invalidRequest", `command: ${outcome.message}`);
  const exitCode = outcome.type === "exited" ? outcome.exitCode : 124;
  return { result: { exitCode, stdout: outcome.output.text, stderr: "" } };
});
