// The promises of docs/architecture.md that no other tool checks. Prints each break with its file; exit 1 if there is any.
// usage: node tooling/check-structure.mjs [--write-names]     (--write-names pins the public names as they are now)
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const coreBudget = 1500; // code lines
const root = join(import.meta.dirname, "..");
const read = (file) => readFileSync(join(root, file), "utf8");
const layers = JSON.parse(read("tooling/layers.json"));
const namesFile = "tooling/public-names.json";

const problems = [
  ...checkLayers(),
  ...checkCoreBudget(),
  ...checkPublicNames(),
  ...checkSources(),
  ...checkReadmes(),
  ...checkTracked(),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exit(1);

/** Each package depends on what the design's table says, and each is in the table. */
function checkLayers() {
  return globSync(["packages/*/package.json", "apps/*/package.json"], { cwd: root }).flatMap((file) => {
    const unit = file.slice(0, -"/package.json".length);
    const allowed = layers[unit];
    if (allowed === undefined)
      return [`${unit}: not in tooling/layers.json: give it a layer in docs/architecture.md first`];
    const used = Object.keys(JSON.parse(read(file)).dependencies ?? {})
      .filter((name) => name.startsWith("@unroll/"))
      .map((name) => name.slice("@unroll/".length));
    return used
      .filter((name) => !mayUse(allowed, name))
      .map((name) => `${file}: may not depend on @unroll/${name}: the layers of docs/architecture.md do not allow it`);
  });
}

/** `*` is every package, but no app, and not what only programs may use. */
function mayUse(allowed, name) {
  const isOfAll = name !== "program" && existsSync(join(root, "packages", name));
  return allowed.includes(name) || (allowed.includes("*") && isOfAll);
}

function checkCoreBudget() {
  const lines = globSync("packages/core/src/**/*.ts", { cwd: root }).reduce(
    (sum, file) => sum + countCode(read(file)),
    0,
  );
  return lines > coreBudget
    ? [`packages/core/src: ${lines} code lines, the budget is ${coreBudget}: put the new concept into its own package`]
    : [];
}

function countCode(text) {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, "");
  return bare.split("\n").filter((line) => line.trim() !== "" && !line.trim().startsWith("//")).length;
}

/** A new public name is a decision: it changes the pinned list in the same commit. */
function checkPublicNames() {
  const found = {};
  for (const file of globSync("packages/*/src/index.ts", { cwd: root }).toSorted())
    found[file.split("/")[1]] = publicNames(read(file));
  if (process.argv.includes("--write-names")) {
    writeFileSync(join(root, namesFile), `${JSON.stringify(found, null, 2)}\n`);
    return [];
  }
  const pinned = JSON.parse(read(namesFile));
  const packages = [...new Set([...Object.keys(found), ...Object.keys(pinned)])];
  return packages.flatMap((name) => {
    const [now, before] = [found[name] ?? [], pinned[name] ?? []];
    const added = now.filter((each) => !before.includes(each));
    const gone = before.filter((each) => !now.includes(each));
    const say = (each, what) =>
      `packages/${name}/src/index.ts: public name ${each} ${what}: if that is meant, run node tooling/check-structure.mjs --write-names`;
    return [...added.map((each) => say(each, "is new")), ...gone.map((each) => say(each, "is gone"))];
  });
}

function publicNames(index) {
  return [...index.matchAll(/export (?:type )?\{([^}]*)\}/g)]
    .flatMap((match) => match[1].split(","))
    .map((name) => name.trim().split(" as ").at(-1))
    .filter((name) => name !== "")
    .toSorted((a, b) => (a < b ? -1 : 1));
}

function checkSources() {
  return globSync(["packages/*/src/**/*.ts", "apps/*/src/**/*.ts"], { cwd: root }).flatMap((file) => {
    const found = [];
    if (/^(utils|helpers|manager|misc|common)\.ts$/.test(basename(file)))
      found.push(`${file}: name the file after its one concept`);
    if (/^export \*/m.test(read(file))) found.push(`${file}: export names one by one, never "export *"`);
    return found;
  });
}

function checkReadmes() {
  return globSync("packages/*/package.json", { cwd: root })
    .map((file) => file.replace("package.json", "README.md"))
    .flatMap((file) =>
      existsSync(join(root, file)) ? [] : [`${file}: missing: what is the package for, why is it apart?`],
    );
}

/** No path of one machine, registry host or credential in what is committed. */
function checkTracked() {
  if (!existsSync(join(root, ".git"))) return [];
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0");
  const machinePath = new RegExp(["(^|[\\s\"'`=:(])", "(root|work|farm)", ""].join("/"));
  const patterns = [
    [machinePath, "a path of one machine"],
    [new RegExp(`registry[.]npm${"js"}[.]org|deb[.]debian[.]org`), "a registry host"],
    [/\bsk-[A-Za-z0-9_-]{20,}/, "what looks like an API key"],
  ];
  return files
    .filter(
      (file) =>
        /\.(ts|mjs|js|json|md|yaml|toml|sh)$/.test(file) && !file.includes("pnpm-lock") && existsSync(join(root, file)),
    )
    .flatMap((file) =>
      read(file)
        .split("\n")
        .flatMap((line, index) =>
          patterns.filter(([pattern]) => pattern.test(line)).map(([, what]) => `${file}:${index + 1}: holds ${what}`),
        ),
    );
}
