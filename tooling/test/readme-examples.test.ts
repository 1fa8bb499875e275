import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const examples = globSync(["packages/*/README.md", "README.md"], { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match, index) => ({
    name: `${file}, example ${index + 1}`,
    folder: join(root, file === "README.md" ? "packages/harness" : dirname(file)),
    code: match[1] ?? "",
  })),
);

test("every package has an example in its README", () => {
  const packages = globSync("packages/*/package.json", { cwd: root });
  expect(new Set(examples.map((example) => example.folder)).size).toBe(packages.length);
});

test.concurrent.for(examples)("$name runs as it stands", async ({ code, folder }) => {
  const args = ["--conditions=@unroll/source", "--input-type=module-typescript", "--eval", code];
  const running = promisify(execFile)(process.execPath, args, { cwd: folder, timeout: 50_000 });
  await expect(running).resolves.toBeDefined();
});
