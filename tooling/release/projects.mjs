import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.ts";

const installs = {
  npm: ["npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"]],
  pnpm: ["pnpm", ["install", "--ignore-workspace", "--prefer-offline", "--config.minimumReleaseAge=0"]],
};

/** An empty project with these dependencies, installed by npm or pnpm: our scope from `registry`. */
export async function installProject({ folder, manager, registry, dependencies }) {
  mkdirSync(folder, { recursive: true });
  const manifest = { name: "empty", private: true, type: "module", dependencies };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, ".npmrc"), `@unroll:registry=${registry}\n`);
  const [file, args] = installs[manager];
  await run(file, args, { cwd: folder });
}

/** How many packages are installed in a project of npm, and how many MB they are. */
export function measureProject(folder) {
  const names = new Set(
    globSync("node_modules/**/package.json", { cwd: folder })
      .filter((file) => /(^|\/)node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(file))
      .map((file) => file.slice(0, -"/package.json".length)),
  );
  const bytes = globSync("node_modules/**/*", { cwd: folder })
    .map((file) => statSync(join(folder, file), { throwIfNoEntry: false }))
    .reduce((sum, found) => sum + (found?.isFile() ? found.size : 0), 0);
  return { packages: names.size, megabytes: Math.round(bytes / 1e5) / 10 };
}

/** The ranges that the repository has for what examples import besides our own packages. */
export function readRanges(root, names) {
  const { catalog } = readCatalog(root);
  return Object.fromEntries(names.map((name) => [name, catalog[name] ?? "*"]));
}

/** The packages that the repository's examples import, together: ours as they are packed, others by the catalog. */
export function listExampleDependencies(root) {
  const names = globSync("examples/*/package.json", { cwd: root }).flatMap((file) =>
    Object.keys(JSON.parse(readFileSync(join(root, file), "utf8")).dependencies ?? {}),
  );
  const own = names.filter((name) => name.startsWith("@unroll/")).map((name) => [name, "*"]);
  const others = names.filter((name) => !name.startsWith("@unroll/"));
  return { ...Object.fromEntries(own), ...readRanges(root, others) };
}

function readCatalog(root) {
  const text = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8");
  const lines = /^catalog:\n((?: {2}.*\n)+)/m.exec(text)?.[1] ?? "";
  return {
    catalog: Object.fromEntries(
      [...lines.matchAll(/^ {2}"?([^":]+)"?: (.*)$/gm)].map(([, name, range]) => [name, range]),
    ),
  };
}
