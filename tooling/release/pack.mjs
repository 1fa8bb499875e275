import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "./run.ts";

/** The packages that are published, each with its folder and its manifest from the repository. */
export function listPublished(root) {
  return globSync("{packages,apps}/*/package.json", { cwd: root })
    .map((file) => ({
      folder: dirname(join(root, file)),
      manifest: JSON.parse(readFileSync(join(root, file), "utf8")),
    }))
    .filter(({ manifest }) => manifest.private !== true);
}

/** Builds all of them from nothing: a compiler leaves what it once made of a file that has been removed, and so does a cache of builds. */
export async function buildAnew(root) {
  for (const folder of globSync("{packages,apps}/*/dist", { cwd: root }))
    rmSync(join(root, folder), { recursive: true });
  await run("pnpm", ["exec", "tsc", "-b", "--force"], { cwd: root });
  await run("pnpm", ["exec", "turbo", "run", "bundle", "--force", "--output-logs=errors-only"], { cwd: root });
}

/** Packs them into `out`. Gives each with the path of its tarball and its manifest as it is in there. */
export async function packAll(root, out) {
  const packed = [];
  for (const { folder } of listPublished(root)) {
    const { stdout } = await run("pnpm", ["pack", "--json", "--pack-destination", out], { cwd: folder });
    const { filename, files } = JSON.parse(stdout.slice(stdout.indexOf("{")));
    const { stdout: text } = await run("tar", ["-xzOf", filename, "package/package.json"]);
    packed.push({ folder, tarball: filename, manifest: JSON.parse(text), files: files.map(({ path }) => path) });
  }
  return packed;
}

/** Finds faults of a packed package that other tools do not look for. */
export function findFaults({ folder, manifest, files }) {
  const {
    name,
    engines,
    repository,
    keywords,
    description,
    sideEffects,
    dependencies = {},
    peerDependencies = {},
  } = manifest;
  const faults = [];
  if (files.some((file) => file.endsWith(".tsbuildinfo"))) faults.push("holds a .tsbuildinfo");
  if (files.some((file) => file.endsWith(".map"))) faults.push("holds maps");
  const left = files.find((file) => isLeftOver(folder, file));
  if (left !== undefined) faults.push(`holds ${left}, which no source makes`);
  if (!files.includes("README.md")) faults.push("has no README.md");
  if (!files.some((file) => file.startsWith("LICENSE"))) faults.push("has no LICENSE");
  for (const [key, value] of Object.entries({ engines, repository, keywords, description })) {
    if (value === undefined) faults.push(`its manifest has no ${key}`);
  }
  if (manifest.exports !== undefined && manifest.bin === undefined && sideEffects !== false)
    faults.push("its manifest does not say sideEffects");
  const entries = manifest.bin === undefined ? Object.values(manifest.exports ?? {}) : [];
  if (entries.some((entry) => !entry.default.startsWith("./dist/lib/")))
    faults.push(
      "publishes files as the compiler wrote them: give it prepack and publishConfig.exports as its neighbours have them",
    );
  for (const [dependency, range] of Object.entries({ ...dependencies, ...peerDependencies })) {
    if (/^(workspace|catalog|link|file):/.test(range)) faults.push(`depends on ${dependency} by ${range}`);
  }
  return faults.map((fault) => `${name} ${fault}`);
}

function isLeftOver(folder, file) {
  const [, name] = /^dist\/(?!bundle\/|lib\/|sample-project\/)(.*?)(?:\.d\.ts|\.js)$/.exec(file) ?? [];
  return name !== undefined && !existsSync(join(folder, "src", `${name}.ts`));
}
