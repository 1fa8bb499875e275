// The promises of docs/architecture.md and docs/style.md that no other tool checks. Prints each break with its file; exit 1 if there is any.
// usage: node tooling/check-structure.mjs [CHECK…]          (all of them, or those of tooling/structure/checks.ts that are named)
//        node tooling/check-structure.mjs idioms [--diff] [--report] [PATH…]
//        node tooling/check-structure.mjs --write-names     (pins the public names as they are now)
//        node tooling/check-structure.mjs --report          (prints a table of how much there is; checks nothing)
import { join } from "node:path";
import { writePublicNames } from "./structure/check-public-names.ts";
import { checks } from "./structure/checks.ts";
import { renderReport } from "./structure/report.ts";
import { openRepository } from "./structure/repository.ts";
import { runIdioms } from "./structure/words/run-idioms.ts";

const repository = openRepository(join(import.meta.dirname, ".."));
if (process.argv[2] === "idioms") process.exit(runIdioms(repository, process.argv.slice(3)));
if (process.argv.includes("--report")) {
  process.stdout.write(renderReport(repository));
  process.exit(0);
}
const [writing, wanted] = [
  process.argv.includes("--write-names"),
  process.argv.slice(2).filter((word) => word !== "--write-names"),
];
const unknown = wanted.filter((name) => !Object.hasOwn(checks, name));
if (unknown.length > 0) {
  process.stderr.write(`no check is called ${unknown.join(", ")}: there are ${Object.keys(checks).join(", ")}\n`);
  process.exit(2);
}
if (writing) writePublicNames(repository);
const problems = (wanted.length > 0 ? wanted : Object.keys(checks)).flatMap((name) => checks[name](repository));
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exit(1);
