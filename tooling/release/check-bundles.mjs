import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.ts";

/** The packages that they must leave out: optional ones that are not installed. */
const external = ["sharp", "node-pty", "@napi-rs/keyring"];

/** Pinned: these bundlers are not dependencies of ours. */
export const bundlers = {
  esbuild: "0.28.2",
  rollup: "4.68.7",
  "@rollup/plugin-node-resolve": "16.0.3",
  "@rollup/plugin-commonjs": "29.0.3",
  "@rollup/plugin-json": "6.1.0",
  bun: "1.4.5",
};

/**
 * Bundles programs by each bundler, each into a folder that has nothing else, and runs them in the project, whose files they may name. Gives what
 * each said, by bundler and program.
 */
export async function checkBundles(project, programs, out) {
  const said = {};
  for (const [name, code] of Object.entries(programs)) {
    const file = `${name}.mjs`;
    writeFileSync(join(project, file), code);
    for (const [bundler, bundle] of Object.entries(ways)) {
      const folder = join(out, bundler, name);
      await bundle(file, project, folder);
      const { stdout } = await run(process.execPath, [join(folder, file)], { cwd: project, timeout: 60_000 });
      said[`${bundler}, ${name}`] = stdout.trim();
    }
  }
  return said;
}

const ways = {
  async esbuild(file, cwd, folder) {
    const options = [
      "--bundle",
      "--platform=node",
      "--format=esm",
      "--splitting",
      "--out-extension:.js=.mjs",
      `--outdir=${folder}`,
    ];
    await run("npx", ["esbuild", file, ...options, ...external.map((name) => `--external:${name}`)], { cwd });
  },
  async rollup(file, cwd, folder) {
    const config = `
      import resolve from "@rollup/plugin-node-resolve";
      import commonjs from "@rollup/plugin-commonjs";
      import json from "@rollup/plugin-json";
      export default { input: ${JSON.stringify(file)}, external: [/^node:/, ...${JSON.stringify(external)}], plugins: [resolve({ preferBuiltins: true, exportConditions: ["node"] }), commonjs(), json()],
        output: { dir: ${JSON.stringify(folder)}, format: "es", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" } };`;
    writeFileSync(join(cwd, "rollup.config.mjs"), config);
    await run("npx", ["rollup", "--silent", "-c", "rollup.config.mjs"], { cwd });
  },
  async bun(file, cwd, folder) {
    const options = ["--target=node", "--format=esm", `--outdir=${folder}`, "--entry-naming=[name].mjs"];
    await run("npx", ["bun", "build", file, ...options, ...external.flatMap((name) => ["--external", name])], {
      cwd,
    });
  },
};
