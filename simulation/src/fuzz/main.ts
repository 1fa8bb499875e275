import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
// @boundaries-ignore it belongs to no package
import { oneOf, parseArguments, wholeFrom } from "../../../tooling/parse-arguments.ts";
import { fuzz } from "./fuzz.ts";
import { fuzzTargetNames } from "./open-fuzz-target.ts";
import { toCorpusPath } from "./read-corpus.ts";

/** `main.ts [target|all] [seconds] [seed]`: what breaks a law is kept in the corpus, and the exit code is 1. */
async function main(): Promise<number> {
  const usage = `npm run fuzz -- [${fuzzTargetNames.join("|")}|all] [seconds] [seed]`;
  const words = { target: oneOf([...fuzzTargetNames, "all"]), seconds: wholeFrom(1), seed: wholeFrom(0) };
  const given = parseArguments(usage, { words });
  const which = given.target ?? "all";
  const seed = given.seed ?? Math.floor(Date.now() / 1000);
  const targets = fuzzTargetNames.filter((name) => which === "all" || name === which);
  let failed = 0;
  for (const target of targets) {
    const end = performance.now() + (given.seconds ?? 60) * 1000;
    const { tried, found } = await fuzz({ target, seed, goesOn: () => performance.now() < end });
    console.log(`${target}: ${tried} inputs from seed ${seed}, ${found === null ? "no law broken" : "BROKEN"}`);
    if (found === null) continue;
    failed += 1;
    const name = `found-${createHash("sha256").update(found.bytes).digest("hex").slice(0, 12)}`;
    const path = toCorpusPath(target, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, found.bytes);
    console.log(`  kept as ${path}\n `, found.error);
  }
  return failed > 0 ? 1 : 0;
}

process.exitCode = await main();
