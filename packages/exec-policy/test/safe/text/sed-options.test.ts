import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judgeCommand, mergeRules } from "@unroll/exec-policy";
import { expect, test } from "vitest";

const isGnuSed = spawnSync("sed", ["--version"], { encoding: "utf8" }).stdout.includes("GNU sed");

test.skipIf(!isGnuSed)("a file whose name is an option of sed runs nothing under what only reads", () => {
  const folder = mkdtempSync(join(tmpdir(), "unroll-hostile-sed-"));
  const argv = ["bash", "-c", 'for f in *.ts; do sed -n 1,5p "$f"; done'];
  const names = ["-e1e touch ran #.ts", "1,5p"];
  const run = (environment: Readonly<Record<string, string>>): readonly string[] => {
    spawnSync("bash", argv.slice(1), { cwd: folder, env: { PATH: process.env["PATH"], ...environment } });
    const left = readdirSync(folder).filter((name) => !names.includes(name));
    rmSync(join(folder, "ran"), { force: true });
    return left;
  };
  try {
    for (const name of names) writeFileSync(join(folder, name), "text\n");
    const verdict = judgeCommand({ argv }, mergeRules([]), { cwd: folder, home: null });
    expect(verdict.decision).toBe("allow");
    expect(run({})).toEqual(["ran"]);
    expect(run(verdict.environment)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
