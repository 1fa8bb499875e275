import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { listReadmeExamples } from "../release/readme-examples.ts";

const root = join(import.meta.dirname, "../..");
const examples = listReadmeExamples(root);

test("every package has an example in its README", () => {
  const packages = globSync("packages/*/package.json", { cwd: root });
  expect(new Set(examples.map((example) => example.folder)).size).toBe(packages.length);
});

test.concurrent.for(examples)("$name runs as it stands", async ({ code, folder }) => {
  const args = ["--conditions=@unroll/source", "--input-type=module-typescript", "--eval", code];
  const running = promisify(execFile)(process.execPath, args, { cwd: folder, timeout: 50_000 });
  await expect(running).resolves.toBeDefined();
});
