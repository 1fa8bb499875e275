// unroll from its sources, as the bundled program starts it.
import { dirname } from "node:path";
import { startProgram } from "../../apps/cli/src/start-program.ts";

const complain = (text) => void process.stderr.write(`unroll: ${text}\n`);
process.exit(await startProgram({ args: process.argv.slice(2), ownFolders: [dirname(import.meta.dirname)], complain }));
