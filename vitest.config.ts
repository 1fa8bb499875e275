import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Tests import the packages by name and run on their sources: no build needed.
const conditions = ["@unroll/source", "node", "import", "module", "default"];
// Programs that the tests start are kept compiled: from sources they take half the time then.
process.env["NODE_COMPILE_CACHE"] ??= `${import.meta.dirname}/node_modules/.cache/compiled`;
const manifests = globSync(["packages/*/package.json", "apps/*/package.json", "bench/package.json"], {
  cwd: import.meta.dirname,
});

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    isolate: false,
    maxWorkers: Math.max(4, availableParallelism()), // half of the time, a test waits for its child processes
    globalSetup: `${import.meta.dirname}/tooling/announce-skips.ts`,
    maxConcurrency: 10, // of tests that say they are concurrent: they wait for processes more than they compute
    testTimeout: 60_000, // a bound for what hangs, on a busy machine too; nothing waits for it
    dangerouslyIgnoreUnhandledErrors: false,
    projects: [
      ...manifests.map((file) => ({
        extends: true as const,
        root: `${import.meta.dirname}/${file.slice(0, -"/package.json".length)}`,
        test: {
          name: (JSON.parse(readFileSync(`${import.meta.dirname}/${file}`, "utf8")) as { name: string }).name,
          include: ["test/**/*.test.ts"],
        },
      })),
      {
        extends: true as const,
        test: { name: "repository", include: ["tooling/test/**/*.test.ts"] },
      },
    ],
  },
});
