import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { makeLargeRepository } from "./large-repository.ts";
import { hasSandbox } from "./peers.ts";
import { openRunner, runCommand, time } from "./sandbox-runner.ts";
import { interleave, median } from "./statistics.ts";

export const name = "sandbox-spawn";

const program = "/bin/true";
const repositoryLabel = "runner, sandbox, git repository";
const largeLabel = "runner, sandbox, git repository of 20,000 folders, against a small one";
const callsPerRound = 10;
const sandboxTarget = 3.6; // times a bare spawn
const largeFolders = 20_000;
const largeTarget = 1.15; // times the same in an empty repository

/** A program that does nothing: spawned by node itself, by our runner with and without a sandbox, and by peers. */
export async function run({ rounds, peers }: BenchOptions): Promise<BenchResult> {
  await using base = await mkdtempDisposable(join(tmpdir(), "unroll-bench-"));
  const [plain, repository] = [join(base.path, "plain"), join(base.path, "repository")];
  mkdirSync(plain);
  spawnSync("git", ["init", "-q", repository]);
  const denyRead = makeCodexHome(join(base.path, "codex"));
  const large = makeLargeRepository(join(base.path, "large"), largeFolders);
  await using outside = await openRunner(base.path, plain, { mode: "danger-full-access" });
  await using inside = await openRunner(base.path, plain);
  await using insideRepository = await openRunner(base.path, repository);
  await using insideLarge = await openRunner(base.path, large);
  await using hiding = await openRunner(base.path, repository, { denyRead });

  const peerVariants = Object.entries(peers)
    .filter(([peer]) => hasSandbox(peer))
    .map(([peer, command]) => {
      const argv = [command, "sandbox", "-c", 'sandbox_mode="workspace-write"', "--", program];
      return [`${peer} sandbox`, () => time(() => spawnBare(argv, plain))] as const;
    });
  const times = await interleave(rounds * callsPerRound, {
    "bare spawn": () => time(() => spawnBare([program], plain)),
    "runner, no sandbox": () => time(() => runCommand(outside, [program], plain)),
    "runner, sandbox": () => time(() => runCommand(inside, [program], plain)),
    [repositoryLabel]: () => time(() => runCommand(insideRepository, [program], repository)),
    [largeLabel]: () => time(() => runCommand(insideLarge, [program], large)),
    "runner, sandbox, git repository, keys hidden": () => time(() => runCommand(hiding, [program], repository)),
    ...Object.fromEntries(peerVariants),
  });
  return {
    name,
    rows: Object.entries(times).map(([label, values]) =>
      label === largeLabel
        ? toGrowth(median(values), median(times[repositoryLabel]))
        : toRow(label, median(values), times["bare spawn"]),
    ),
  };
}

function toGrowth(value: number, small: number): BenchRow {
  const ratio = value / small;
  return {
    label: largeLabel,
    value,
    unit: "ms",
    ratio,
    target: `<= ${largeTarget}x a small one`,
    ok: ratio <= largeTarget,
  };
}

/** As one looks after some weeks. Returns what the harness hides of it. */
function makeCodexHome(folder: string): readonly string[] {
  const at = (name: string): string => join(folder, name);
  for (const name of ["mcp-tokens", "rules", "skills", "prompts", "sessions", "log"])
    mkdirSync(at(name), { recursive: true });
  for (const name of ["auth.json", "config.toml", "AGENTS.md", "version.json"]) writeFileSync(at(name), "");
  writeFileSync(at("history.jsonl"), "x".repeat(100_000));
  return [at("auth.json"), at("mcp-tokens")];
}

function toRow(label: string, value: number, bare: readonly number[]): BenchResult["rows"][number] {
  const ratio = value / median(bare);
  const bound = label.startsWith("runner, sandbox") && {
    target: `<= ${sandboxTarget}x bare spawn`,
    ok: ratio <= sandboxTarget,
  };
  return { label, value, unit: "ms", ratio, ...bound };
}

async function spawnBare([file = "", ...args]: readonly string[], cwd: string): Promise<void> {
  const child = spawn(file, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, "close");
}
