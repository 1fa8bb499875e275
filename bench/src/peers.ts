import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const prefix = "UNROLL_BENCH_PEER_";
const installed = ["codex", "pi"];

/** The commands of the other programs, by their names. */
export type Peers = Readonly<Record<string, string>>;

/**
 * The programs of `UNROLL_BENCH_PEER_<NAME>`, and `codex` and `pi` if they are installed from npm below `folder` (`npm
 * install --prefix DIR @openai/codex @earendil-works/pi-coding-agent`); null: no folder.
 */
export function findPeers(folder: string | null): Peers {
  const named = Object.entries(process.env).flatMap(([key, command]) =>
    key.startsWith(prefix) && command ? [[key.slice(prefix.length).toLowerCase(), command] as const] : [],
  );
  const found =
    folder === null ? [] : installed.map((name) => [name, join(folder, "node_modules/.bin", name)] as const);
  return Object.fromEntries([...found.filter(([, path]) => existsSync(path)), ...named]);
}

/** The versions that they print, by name. */
export function readVersions(peers: Peers): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(peers).map(([name, command]) => {
      const [file = "", ...args] = command.split(" ");
      const { stdout, stderr } = spawnSync(file, [...args, "--version"], { encoding: "utf8" });
      return [name, (stdout || stderr).trim()];
    }),
  );
}

/** Whether it can run commands in a sandbox. */
export function hasSandbox(peer: string): boolean {
  return peer !== "pi";
}

/** The arguments of a peer for a turn of one message; all except `pi` take the flags of `codex`. */
export function toPeerTurn(peer: string, message: string, mode: string): readonly string[] {
  if (peer === "pi")
    return ["--print", "--offline", "--no-session", "--provider", "bench", "--model", "gpt-5", message];
  return ["exec", "--skip-git-repo-check", "-s", mode, message];
}

/** The models that `pi` may use: in `.pi/agent/models.json` of the home. */
export function toPiModels(url: string): string {
  const provider = { baseUrl: url, api: "openai-responses", apiKey: "none", models: [{ id: "gpt-5" }] };
  return JSON.stringify({ providers: { bench: provider } });
}
