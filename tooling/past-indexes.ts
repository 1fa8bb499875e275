import { readFileSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Plugin } from "esbuild";
import { type EcmaScriptModule, parseSync } from "oxc-parser";
import { parseManifest } from "./structure/parse-tables.ts";

type ReadModule = (file: string) => EcmaScriptModule;

/** A name that a file declares or passes on. */
interface Exported {
  readonly file: string;
  readonly name: string;
}

/**
 * A plugin of esbuild: a file imports each name of another of our packages from the file that declares it. esbuild assigns whole files to
 * chunks, so an import of an index would bring along everything that the index names, even where `sideEffects` is false.
 * Only imports of packages that declare `sideEffects: false` change; whatever the plugin does not find is left to esbuild.
 */
export function pastIndexes(root: string): Plugin {
  return {
    name: "past-indexes",
    async setup(bundle) {
      const entries = await listEntries(root);
      const modules = new Map<string, EcmaScriptModule>();
      const readModule: ReadModule = (file) => {
        const known = modules.get(file) ?? parseSync(file, readFileSync(file, "utf8")).module;
        modules.set(file, known);
        return known;
      };
      bundle.onLoad({ filter: /[\\/](?:packages|apps)[\\/][\w-]+[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({
        contents: importDirectly(await readFile(path, "utf8"), { path, entries, readModule }),
        loader: "ts",
      }));
    },
  };
}

/**
 * The names by which our packages can be imported (`@unroll/text`, `@unroll/prompt/node`), with the source file of
 * each.
 */
async function listEntries(root: string): Promise<ReadonlyMap<string, string>> {
  const entries = new Map<string, string>();
  for await (const path of glob("{packages,apps}/*/package.json", { cwd: root })) {
    const { name, sideEffects, exports = {} } = parseManifest(await readFile(join(root, path), "utf8"));
    if (sideEffects !== false) continue;
    for (const [subpath, conditions] of Object.entries(exports)) {
      const source = typeof conditions === "string" ? undefined : conditions["@unroll/source"];
      if (source !== undefined) entries.set(join(name, subpath), resolve(root, dirname(path), source));
    }
  }
  return entries;
}

interface Importing {
  readonly path: string;
  readonly entries: ReadonlyMap<string, string>;
  readonly readModule: ReadModule;
}

/** The text, with each import of an entry replaced by one for each value. */
function importDirectly(text: string, { path, entries, readModule }: Importing): string {
  let [written, at] = ["", 0];
  for (const { start, end, moduleRequest, entries: names } of parseSync(path, text).module.staticImports) {
    const entry = entries.get(moduleRequest.value);
    if (entry === undefined || names.some(({ importName }) => importName.kind !== "Name")) continue;
    const values = names.filter(({ isType }) => !isType);
    const imports = values.map(({ importName: { name }, localName }) => {
      const given = { file: moduleRequest.value, name: name ?? "" };
      const declared = findDeclared({ ...given, file: entry }, readModule) ?? given;
      return `import { ${declared.name} as ${localName.value} } from ${JSON.stringify(declared.file)};`;
    });
    written += text.slice(at, start) + imports.join("");
    at = end;
  }
  return written + text.slice(at);
}

/** Where an exported name is declared. Null: in another package, or unknown. */
function findDeclared({ file, name }: Exported, readModule: ReadModule): Exported | null {
  const exported = readModule(file).staticExports.flatMap((each) => each.entries);
  const own = exported.find(({ exportName }) => exportName.name === name);
  const toFile = (request: string): string => resolve(dirname(file), request);
  if (own !== undefined) {
    const from = own.moduleRequest?.value;
    if (from === undefined) return { file, name };
    const isOurs = from.startsWith(".") && own.importName.kind === "Name";
    return isOurs ? findDeclared({ file: toFile(from), name: own.importName.name ?? "" }, readModule) : null;
  }
  const stars = exported.flatMap(({ importName, moduleRequest }) =>
    importName.kind === "AllButDefault" ? [moduleRequest?.value ?? ""] : [],
  );
  if (stars.some((from) => !from.startsWith("."))) return null;
  const found = stars.flatMap((from) => findDeclared({ file: toFile(from), name }, readModule) ?? []);
  return new Set(found.map((each) => each.file)).size === 1 ? (found[0] ?? null) : null;
}
