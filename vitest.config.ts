import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { SpawnersFirst } from "./tooling/spawners-first.ts";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

// Tests import the packages by name and run on their sources: no build needed.
// Node's own conditions ("import", "require") stay with Node: a package that is required must not get its module for imports.
const conditions = ["@unroll/source", "node", "module"];
// Programs that the tests start are kept compiled: from sources they take half the time then.
process.env["NODE_COMPILE_CACHE"] ??= `${import.meta.dirname}/node_modules/.cache/compiled`;
/** A project has workers of its own, and each loads vitest and all packages anew: projects are made only where one is asked for. */
const asksForProject = argv.some((argument) => argument.startsWith("--project"));

const hangsMs = 300_000;

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    isolate: false,
    maxWorkers: Math.max(4, availableParallelism()), // half of the time, a test waits for its child processes
    globalSetup: ["announce-skips", "temporary-folder"].map((name) => `${import.meta.dirname}/tooling/${name}.ts`),
    execArgv: ["--max-semi-space-size=64"], // MiB; a tenth less CPU time than with V8's own, which collects more often
    setupFiles: `${import.meta.dirname}/tooling/use-temporary-folder.ts`,
    teardownTimeout: 60_000, // longer than the temporary folder is watched
    sequence: { sequencer: SpawnersFirst },
    maxConcurrency: 10, // of tests that say they are concurrent: they wait for processes more than they compute
    // Bounds for what hangs: nothing waits for them, and on a machine with 40 waiting processes a test of 5 s takes over a minute.
    testTimeout: hangsMs,
    hookTimeout: hangsMs,
    expect: { poll: { timeout: hangsMs - 50_000, interval: 10 } }, // a test says what it saw
    dangerouslyIgnoreUnhandledErrors: false,
    include: ["{packages,apps}/*/test/**/*.test.ts", "{bench,simulation,tooling}/test/**/*.test.ts"],
    ...(asksForProject && { projects: createProjects() }),
  },
});

/** One for each package, by its name, and `repository`. */
function createProjects(): TestProjectInlineConfiguration[] {
  const folders = globSync(["{packages,apps}/*/package.json", "{bench,simulation}/package.json"], {
    cwd: import.meta.dirname,
  });
  const packages = folders.map((manifest) => {
    const file = join(import.meta.dirname, manifest);
    const { name } = JSON.parse(readFileSync(file, "utf8")) as { name: string };
    return createProject(name, join(file, ".."), "test/**/*.test.ts");
  });
  return [...packages, createProject("repository", import.meta.dirname, "tooling/test/**/*.test.ts")];
}

function createProject(name: string, root: string, include: string): TestProjectInlineConfiguration {
  return { extends: true, root, test: { name, include: [include] } };
}
