import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/** The other programs that the bench knows. */
const peerNames = ["codex", "pi"] as const;
export type PeerName = (typeof peerNames)[number];

/** The commands of the other programs; one that is not installed is not here. */
export type Peers = Readonly<Partial<Record<PeerName, string>>>;

/** The programs at the given paths, else in the folders of `path`. Throws where a given path has no program. */
export function findPeers(given: Readonly<Record<PeerName, string | null>>, path: string): Peers {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  const find = (name: PeerName): string | null => {
    const named = given[name];
    if (named === null) return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
    if (!isProgram(resolve(named))) throw new Error(`There is no program at ${named}, which --${name} names.`);
    return resolve(named);
  };
  return Object.fromEntries(
    peerNames.flatMap((name) => {
      const command = find(name);
      return command === null ? [] : [[name, command] as const];
    }),
  );
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The versions that they print, by name: the last word of the line. */
export function readVersions(peers: Peers): Readonly<Partial<Record<PeerName, string>>> {
  return Object.fromEntries(
    Object.entries(peers).map(([name, command]) => {
      const { stdout, stderr } = spawnSync(command, ["--version"], { encoding: "utf8" });
      return [name, (stdout || stderr).trim().replace(/^.* /, "")];
    }),
  );
}

/** Whether it can run commands in a sandbox. */
export function hasSandbox(peer: string): boolean {
  return peer !== "pi";
}

const piModel = ["--offline", "--provider", "bench", "--model", "gpt-5"];

/** The arguments of a peer for a turn of one message, which it does not save; all except `pi` take the flags of `codex`. */
export function toPeerTurn(peer: string, message: string, mode: string): readonly string[] {
  if (peer === "pi") return ["--print", "--no-session", ...piModel, message];
  return ["exec", "--skip-git-repo-check", "--ephemeral", "-s", mode, message];
}

/** The arguments of a turn that saves its thread, or resumes the last one. */
export function toKeptTurn(program: string, message: string, which: "new" | "last"): readonly string[] {
  const isLast = which === "last";
  if (program === "pi") return ["--print", ...(isLast ? ["--continue"] : []), ...piModel, message];
  const flags = ["exec", "--skip-git-repo-check", "-s", "danger-full-access"];
  return [...flags, ...(isLast ? ["resume", "--last"] : []), message];
}

/** The arguments of a peer that opens its terminal. */
export function toPeerTerminal(peer: string): readonly string[] {
  return peer === "pi" ? ["--no-session", ...piModel] : ["-s", "danger-full-access"];
}

/** The models that `pi` may use: in `.pi/agent/models.json` of the home. */
export function toPiModels(url: string): string {
  const provider = { baseUrl: url, api: "openai-responses", apiKey: "none", models: [{ id: "gpt-5" }] };
  return JSON.stringify({ providers: { bench: provider } });
}
