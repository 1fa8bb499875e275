// Publishes all packages with provenance: npm publish --provenance for each tarball. The release workflow runs it, after its checks.
// usage: node tooling/bootstrap.mjs publish vVERSION [--dry-run]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildAnew, findFaults, packAll } from "./pack.mjs";
import { run } from "./run.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const [tag, ...flags] = process.argv.slice(2);
if (tag === undefined || flags.some((flag) => flag !== "--dry-run")) {
  process.stderr.write("usage: node tooling/bootstrap.mjs publish vVERSION [--dry-run]\n");
  process.exit(2);
}
const isDry = flags.length > 0;
const scratch = mkdtempSync(join(tmpdir(), "unroll-publish-"));
try {
  await buildAnew(root);
  const packed = await packAll(root, scratch);
  const faults = packed.flatMap((each) => [...findFaults(each), ...compareVersion(each)]);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  for (const { tarball, manifest } of packed) await publish(tarball, `${manifest.name}@${manifest.version}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function compareVersion({ manifest }) {
  return tag === `v${manifest.version}`
    ? []
    : [`${manifest.name} has the version ${manifest.version}, the tag is ${tag}`];
}

/** A release that broke off is continued: a version that is there already is left alone. */
async function publish(tarball, name) {
  if (!isDry && (await isPublished(name))) return void process.stdout.write(`${name}: published before\n`);
  await run("npm", ["publish", tarball, "--access", "public", ...(isDry ? ["--dry-run"] : ["--provenance"])]);
  process.stdout.write(`${name}: ${isDry ? "would be published" : "published"}\n`);
}

async function isPublished(name) {
  try {
    return (await run("npm", ["view", name, "version"])).stdout.trim() !== "";
  } catch (error) {
    if (String(error).includes("E404")) return false;
    throw error;
  }
}
