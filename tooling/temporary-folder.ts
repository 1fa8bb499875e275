import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Each worker has its temporary folder in it (`use-temporary-folder.ts`). */
    readonly temporaryFolder: string;
  }
}

/** A program that a test ended may still be removing its files. */
const patienceMs = 30_000;

/** npm and others keep compiled code there, for all runs of a machine. */
const ofNode = "node-compile-cache";

/** For `globalSetup`: gives the tests of a run a temporary folder, and fails the run if they leave something in it. */
export function setup(project: TestProject): void {
  giveTemporaryFolder(project, patienceMs);
}

/** `waitMs`: how long what is left may still disappear. */
export function giveTemporaryFolder(project: TestProject, waitMs: number): void {
  const folder = mkdtempSync(join(tmpdir(), "t-")); // short: some tests have sockets in it, whose paths are bounded
  chmodSync(folder, 0o755); // some tests run programs as another user
  project.provide("temporaryFolder", folder);
  // The workers have ended by then.
  project.vitest.onClose(async () => {
    const left = await awaitRemoval(folder, waitMs);
    const lines = left.map((path) => `\n- ${basename(path)}: ${findOrigin(path, project.vitest.config.root)}`);
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) => lines.push(`\n- ${String(error)}`));
    if (lines.length > 0) throw new Error(`Tests left something in the temporary folder:${lines.join("")}`);
  });
}

async function awaitRemoval(folder: string, waitMs: number): Promise<readonly string[]> {
  for (const endMs = Date.now() + waitMs; ; await sleep(100)) {
    const left = listLeft(folder);
    if (left.length === 0 || Date.now() >= endMs) return left;
  }
}

function listLeft(folder: string): readonly string[] {
  const workers = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const paths = workers.flatMap(({ name }) => readdirSync(join(folder, name)).map((left) => join(folder, name, left)));
  return paths.filter((path) => basename(path) !== ofNode);
}

/** The test file whose end was the first to see it, of those that saw it until the last. */
function findOrigin(path: string, root: string): string {
  const record = `${dirname(path)}.seen`;
  const lines = existsSync(record) ? readFileSync(record, "utf8").trimEnd().split("\n") : [];
  const seen = lines.map((line) => line.split("\t"));
  const first = seen[seen.findLastIndex(([, ...names]) => !names.includes(basename(path))) + 1];
  return first?.[0] ? `first seen after ${relative(root, first[0])}` : "it came after the last test";
}
