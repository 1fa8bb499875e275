// Writes docs/bench/how-fast.svg from the table of bench/README.md: npm run bench -- plot
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseMeasured } from "./plot/parse-measured.ts";
import { renderPlot } from "./plot/render-plot.ts";

const root = join(import.meta.dirname, "../..");
const file = join(root, "docs/bench/how-fast.svg");
await mkdir(dirname(file), { recursive: true });
await writeFile(file, renderPlot(parseMeasured(await readFile(join(root, "bench/README.md"), "utf8"))));
process.stdout.write("wrote docs/bench/how-fast.svg\n");
