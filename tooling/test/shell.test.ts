import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const bootstrap = join(import.meta.dirname, "../bootstrap.mjs");

test.each(["sh", "bash"])("what npm run shell prints without a terminal gives %s the toolchain", (shell) => {
  const script = `eval "$('${process.execPath}' '${bootstrap}' shell </dev/null)" && node --version && pnpm --version`;
  const [node, pnpm] = execFileSync(shell, ["-c", script], { encoding: "utf8" }).trim().split("\n");
  expect(node).toBe(process.version);
  expect(pnpm).toMatch(/^\d+\.\d+\.\d+$/);
});
