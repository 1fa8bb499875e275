// Every text for users, by program, in the order of the source: to be read in a sitting.
// usage: node tooling/list-words.mjs --list [PROGRAM]     (a program or package, or a folder or file of one: cli, cli/doctor, report/words)
import { join } from "node:path";
import { openRepository } from "./structure/repository.ts";
import { renderWords } from "./structure/words/render-words.ts";

const [flag, program = "", ...rest] = process.argv.slice(2);
const words =
  flag === "--list" && rest.length === 0 ? renderWords(openRepository(join(import.meta.dirname, "..")), program) : null;
process[words === null ? "stderr" : "stdout"].write(
  words ?? "usage: pnpm words --list [PROGRAM], as in cli, cli/doctor or terminal; without one: all\n",
);
if (words === null) process.exitCode = 2;
