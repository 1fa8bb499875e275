// Writes docs/bench/prefix-law.svg from a run of the demo model: npm run bench -- prefixes
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { measurePrefixes } from "./plot/measure-prefixes.ts";
import { renderPrefixes } from "./plot/render-prefixes.ts";

const requests = await measurePrefixes();
await writeFile(join(import.meta.dirname, "../../docs/bench/prefix-law.svg"), renderPrefixes(requests));
for (const [at, { bytes, shared, tail }] of requests.entries())
  process.stdout.write(
    `request ${at + 1}: ${bytes} bytes, the first ${shared} as in the one before, ${tail} behind the input\n`,
  );
process.stdout.write("wrote docs/bench/prefix-law.svg\n");
