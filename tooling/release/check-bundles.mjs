import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.ts";

/** What they are told to leave out: optional packages that are not installed. */
const external = ["@unroll/mcp", "sharp", "node-pty", "@napi-rs/keyring"];

/** Pinned: a bundler of today is no dependency of ours. */
export const bundlers = {
  esbuild: "0.28.2",
  rollup: "4.68.7",
  "@rollup/plugin-node-resolve": "16.0.3",
  "@rollup/plugin-commonjs": "29.0.3",
  "@rollup/plugin-json": "6.1.0",
  bun: "1.4.5",
};

/** Bundles a program by each bundler into one folder that has nothing else, and runs it. Gives what each said. */
export async function checkBundles(project, program, out) {
  writeFileSync(join(project, "hello.mjs"), program);
  const said = {};
  for (const [name, bundle] of Object.entries(ways)) {
    const folder = join(out, name);
    await bundle(project, folder);
    const { stdout } = await run(process.execPath, [join(folder, "hello.mjs")], { cwd: out });
    said[name] = stdout.trim();
  }
  return said;
}

const ways = {
  async esbuild(cwd, folder) {
    const options = [
      "--bundle",
      "--platform=node",
      "--format=esm",
      "--splitting",
      "--out-extension:.js=.mjs",
      `--outdir=${folder}`,
    ];
    await run("npx", ["esbuild", "hello.mjs", ...options, ...external.map((name) => `--external:${name}`)], { cwd });
  },
  async rollup(cwd, folder) {
    const config = `
      import resolve from "@rollup/plugin-node-resolve";
      import commonjs from "@rollup/plugin-commonjs";
      import json from "@rollup/plugin-json";
      export default { input: "hello.mjs", external: [/^node:/, ...${JSON.stringify(external)}], plugins: [resolve({ preferBuiltins: true }), commonjs(), json()],
        output: { dir: ${JSON.stringify(folder)}, format: "es", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" } };`;
    writeFileSync(join(cwd, "rollup.config.mjs"), config);
    await run("npx", ["rollup", "--silent", "-c", "rollup.config.mjs"], { cwd });
  },
  async bun(cwd, folder) {
    const options = ["--target=node", "--format=esm", `--outdir=${folder}`, "--entry-naming=[name].mjs"];
    await run("npx", ["bun", "build", "hello.mjs", ...options, ...external.flatMap((name) => ["--external", name])], {
      cwd,
    });
  },
};
