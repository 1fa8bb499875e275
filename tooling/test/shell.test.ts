import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const bootstrap = join(import.meta.dirname, "../bootstrap.mjs");

test.each(["sh", "bash"])("what npm run shell prints without a terminal gives %s the toolchain", (shell) => {
  const script = `eval "$('${process.execPath}' '${bootstrap}' shell </dev/null)" && node --version && pnpm --version`;
  const [node, pnpm] = execFileSync(shell, ["-c", script], { encoding: "utf8" }).trim().split("\n");
  expect(node).toBe(process.version);
  expect(pnpm).toMatch(/^\d+\.\d+\.\d+$/);
});

test("on a Node.js that is too old even for the bootstrap, it names the one that it needs before it imports anything", () => {
  const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '12.22.12' } })";
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${old}`, bootstrap, "shell"],
    {
      encoding: "utf8",
    },
  );
  const manifest = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  const [, lowest = ""] = /"node": "\^(\d+\.\d+)/.exec(manifest) ?? [];
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining(`Install Node.js ${lowest} or later`) as string,
  });
  expect(readFileSync(bootstrap, "utf8")).not.toMatch(/^import\b(?!\()/m);
});
