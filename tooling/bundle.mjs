// Bundles the CLI into two files: a small one that answers what needs nothing else and finds the compiled code that an
// earlier run has kept, and the program, whose chunks are functions in one file: V8 has only to look at those that are called.
// usage (from apps/cli): node ../../tooling/bundle.mjs src/main.ts src/start-program.ts unroll
import { createHash } from "node:crypto";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [entry, program, name] = process.argv.slice(2);
const folder = "dist/bundle";

/** Our messages are English; the other fifty languages would be three fifths of what a start reads of zod. */
const englishZod = {
  name: "english-zod",
  setup: (bundle) =>
    bundle.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.c?js$/ }, ({ path }) => ({
      contents: 'export { default as en } from "./en.js";',
      resolveDir: dirname(path),
    })),
};

const shared = {
  minifySyntax: true,
  minifyWhitespace: true, // and not names: `keepNames` would define each again at every start
  platform: "node",
  target: "node24",
  legalComments: "none",
  logLevel: "warning",
};

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const programFile = await writeProgram(await bundleChunks());
await build({
  ...shared,
  entryPoints: { [name]: entry },
  outdir: folder,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  format: "cjs",
  define: { "import.meta.dirname": "__dirname", programFile: JSON.stringify(programFile) },
});
// Assets that sources find beside themselves, as `../sample-project/`.
await cp(join(root, "examples/sample-project"), "dist/sample-project", { recursive: true });

/** The program as CommonJS modules, by the names that they require each other by; what is imported dynamically begins a chunk. */
async function bundleChunks() {
  const { outputFiles } = await build({
    ...shared,
    entryPoints: { program },
    outdir: folder,
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    write: false,
    format: "esm",
    conditions: ["@unroll/source"],
    plugins: [englishZod],
    external: ["node-pty", "sharp", "@napi-rs/keyring"], // native: they stay dependencies of the app
    define: {
      "import.meta.url": "moduleUrl",
      "import.meta.filename": "__filename",
      "import.meta.dirname": "__dirname",
    },
  });
  return Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const { code } = await transform(text, {
        ...shared,
        format: "cjs",
        lineLimit: 120, // Node prints the line that an uncaught error came from
        supported: { "dynamic-import": false }, // `import()` is a `require` at its time
      });
      return { id: `./${basename(path)}`, code: toAscii(loadLate(code)) };
    }),
  );
}

/** One function expression with the parameters of a module, which `kept-code.ts` calls. Returns its name. */
async function writeProgram(chunks) {
  const parts = [
    '(function(exports,require,module,__filename,__dirname){"use strict";',
    'const moduleUrl=require("node:url").pathToFileURL(__filename).href,loaded={};',
    "function loadOnUse(load){let value;return{get it(){return value??=load()}}}",
    "const chunks={",
  ];
  for (const { id, code } of chunks) parts.push(`${JSON.stringify(id)}(exports,require,module){`, code, "},");
  parts.push(
    "};",
    "function load(id){if(!Object.hasOwn(chunks,id))return require(id);",
    "const known=loaded[id];if(known)return known.exports;",
    "const made=loaded[id]={exports:{}};chunks[id](made.exports,load,made);return made.exports}",
    'module.exports=load("./program.js")})',
  );
  const text = parts.join("\n");
  const file = `program-${createHash("sha256").update(text).digest("hex").slice(0, 12)}.code`;
  await writeFile(join(folder, file), text);
  return file;
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
