// Bundles the CLI: a small file that answers what needs nothing else and finds the compiled code that earlier runs have kept,
// and the program in a few parts, whose chunks are functions: a run reads the parts that it uses, and V8 has only to look at
// the functions that are called.
// usage (from apps/cli): node ../../tooling/bundle.mjs unroll src/main.ts src/start-program.ts [what nearly every run needs, too]…
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build, transform } from "esbuild";
import { pastIndexes } from "./past-indexes.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [name, entry, program, ...early] = process.argv.slice(2);
const folder = "dist/bundle";

/**
 * Our messages are English; the other fifty languages would be three fifths of what a start reads of zod. And a schema is not
 * compiled to a function of its own: that takes as long as hundreds of its checks, and a run has few.
 */
const smallZod = {
  name: "small-zod",
  setup: (bundle) => {
    bundle.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.c?js$/ }, ({ path }) => ({
      contents: 'export { default as en } from "./en.js";',
      resolveDir: dirname(path),
    }));
    bundle.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]core\.c?js$/ }, async ({ path }) => ({
      contents: `${await readFile(path, "utf8")}\nconfig({ jitless: true });\n`,
    }));
  },
};

const shared = {
  minifySyntax: true,
  minifyWhitespace: true, // and not names: `keepNames` would define each again at every start
  platform: "node",
  target: "node24",
  legalComments: "none",
  logLevel: "warning",
};

/** esbuild copies what a module exports, getter by getter, so that nobody can change it: our modules are loaded by us alone. */
const exportsCopied = /module\.exports=\s*__toCommonJS\(\s*stdin_exports\)/;
const exportsThemselves = 'module.exports=__defProp(stdin_exports,"__esModule",{value:!0})';

/**
 * For sh, and a string for Node.js: the `env` of busybox knows no `-S`, so it could not pass the options on, which are those of `bin/unroll`.
 * npm's command on Windows starts what `env` is given, so that is found on PATH there.
 */
const start = '#!/usr/bin/env sh\n":" //# ; exec node --max-semi-space-size=2 --v8-pool-size=2 "$0" "$@"';

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const programParts = await writeParts(await bundleChunks());
await build({
  ...shared,
  entryPoints: { [name]: entry },
  outdir: folder,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  format: "cjs",
  banner: { js: start },
  define: { "import.meta.dirname": "__dirname", programParts: JSON.stringify(programParts) },
});
await chmod(join(folder, `${name}.cjs`), 0o755);
await writeFile(join(folder, "help.txt"), await askForHelp());
// Assets that sources find beside themselves, as `../sample-project/`.
await cp(join(root, "examples/sample-project"), "dist/sample-project", { recursive: true });

/**
 * The help text of the bundled program. The next one who asks is given that file: the program need not be loaded for
 * it.
 */
async function askForHelp() {
  const env = { HOME: join(process.cwd(), folder), NODE_DISABLE_COMPILE_CACHE: "1" };
  return (await promisify(execFile)(process.execPath, [join(folder, `${name}.cjs`), "--help"], { env })).stdout;
}

/** The program as CommonJS modules, which require each other as `./part/name.js`; what is imported dynamically begins a chunk. */
async function bundleChunks() {
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: { program },
    outdir: folder,
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    conditions: ["@unroll/source"],
    plugins: [smallZod, pastIndexes(root)],
    // native: they stay dependencies of the app; and what you install for a server of your own
    external: ["node-pty", "sharp", "@napi-rs/keyring", "@unroll/store-postgres", "@unroll/queue"],
    define: {
      "import.meta.url": "moduleUrl",
      "import.meta.filename": "__filename",
      "import.meta.dirname": "__dirname",
    },
  });
  const partOf = layOut(metafile.outputs);
  const findPart = (id) => {
    if (partOf.has(id)) return partOf.get(id);
    throw new Error(`The chunk ${id} is in no part.`);
  };
  return Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const { code } = await transform(text, {
        ...shared,
        format: "cjs",
        lineLimit: 120, // Node prints the line that an uncaught error came from
        supported: { "dynamic-import": false }, // `import()` is a `require` at its time
      });
      const whole = code.replace(exportsCopied, exportsThemselves);
      const placed = whole.replaceAll(/\brequire\("\.\/([^"]+)"\)/g, (_, id) => `require("./${findPart(id)}/${id}")`);
      const part = findPart(basename(path));
      return { part, id: `./${part}/${basename(path)}`, code: toAscii(loadLate(placed)) };
    }),
  );
}

/**
 * Which part a chunk is in, by its file name: `start`, where the program or what nearly every run needs imports it statically; else
 * one named for the package that most of its code is from. So no list has to know our packages.
 */
function layOut(outputs) {
  const atStart = new Set();
  for (const [path, { entryPoint }] of Object.entries(outputs))
    if ([program, ...early].includes(entryPoint)) visit(path);
  return new Map(
    Object.entries(outputs).map(([path, output]) => [
      basename(path),
      atStart.has(path) ? "start" : findPackage(output),
    ]),
  );

  function visit(path) {
    if (atStart.has(path)) return;
    atStart.add(path);
    for (const { kind, path: imported } of outputs[path].imports)
      if (kind === "import-statement" && outputs[imported] !== undefined) visit(imported);
  }
}

function findPackage({ inputs, entryPoint }) {
  const bySize = Object.entries(inputs).toSorted(([, one], [, other]) => other.bytesInOutput - one.bytesInOutput);
  const path = resolve(bySize[0]?.[0] ?? entryPoint ?? program);
  const [, library] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return (library ?? basename(path.replace(/\/src\/.*/, ""))).replace("@", "").replace("/", "-");
}

/** Each part is one function expression, which `program-parts.ts` calls for the part's chunks. Returns their files. */
async function writeParts(chunks) {
  const files = {};
  for (const [part, own] of Map.groupBy(chunks, (chunk) => chunk.part)) {
    const text = [
      '(function(scope){"use strict";const{loadOnUse,moduleUrl,__filename,__dirname}=scope;Object.assign(scope.chunks,{',
      ...own.flatMap(({ id, code }) => [`${JSON.stringify(id)}(exports,require,module){`, code, "},"]),
      "})})",
    ].join("\n");
    const file = `${part}-${createHash("sha256").update(text).digest("hex").slice(0, 12)}.code`;
    await writeFile(join(folder, file), text);
    files[part] = file;
  }
  return files;
}

/** Node's own modules are loaded when something of them is used: some take longer than all that a short run does with them. */
function loadLate(code) {
  const names = [];
  const declared = code.replaceAll(
    /\b(import_\w+)=((?:__toESM\()?require\("node:[^"]+"\)(?:,1\)|\))?)(?=[,;])/g,
    (_, name, loading) => {
      names.push(name);
      return `${name}=loadOnUse(()=>${loading})`;
    },
  );
  return names.reduce((text, name) => text.replaceAll(new RegExp(`\\b${name}\\b(?!=)`, "g"), `${name}.it`), declared);
}

/** It is read as one byte a character; esbuild leaves others in regular expressions only. */
function toAscii(code) {
  return code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
