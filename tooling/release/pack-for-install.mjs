// Makes tarballs that npm installs, while nothing is published: the command alone, and the libraries together.
// usage: npm run pack [-- DIR]   (default: packed, in the clone; nothing else in DIR is touched)
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { packAll } from "./pack.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const own = join(root, "packed");
const folder = resolve(process.argv[2] ?? own);
const library = join(folder, "library");
const command = join(folder, "unroll.tgz");

const scratch = mkdtempSync(join(tmpdir(), "unroll-pack-"));
try {
  const packed = await packAll(root, scratch);
  if (folder === own) rmSync(own, { recursive: true, force: true });
  mkdirSync(library, { recursive: true });
  for (const { tarball, manifest } of packed) {
    if (manifest.bin === undefined) copyFileSync(tarball, join(library, `${basename(manifest.name)}.tgz`));
    else if (manifest.name === "@unroll/cli") copyFileSync(tarball, command); // `unroll-agent` would ask the registry for it
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.stdout.write(`The command:    npm install --global ${command}
The libraries:  npm install ${join(library, "*.tgz")} zod      (in the folder of your program)
`);
