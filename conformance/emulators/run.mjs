// unroll, and programs beside it, in real terminal emulators: see README.md.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { oneOf, parseArguments, text, wholeFrom } from "../../tooling/parse-arguments.ts";
import { caseNames, runCases } from "./cases.mjs";
import { emulatorNames, findEmulator, findTools, openDisplay } from "./open-emulator.mjs";
import { programs } from "./programs.mjs";
import { streamInto } from "./stream-answer.mjs";

const usage = "node -C @unroll/source conformance/emulators/run.mjs [--emulator NAME] [--program NAME] [--beside] [--codex PATH] [--pi PATH] [--unroll PATH] [--pause MS] [--load] [--keep DIR]";
const options = { emulator: oneOf(emulatorNames), program: oneOf(Object.keys(programs)), codex: text, pi: text, unroll: text, pause: wholeFrom(0), keep: text };
const asked = parseArguments(usage, { words: {}, options, flags: ["beside", "load"] });
const commands = {
  ...(asked.beside && { cat: "cat" }),
  unroll: resolve(asked.unroll ?? join(import.meta.dirname, "../../bin/unroll")),
  ...(asked.codex && { codex: resolve(asked.codex) }),
  ...(asked.pi && { pi: resolve(asked.pi) }),
};
/** Rows of a frame that was on its way when the window changed: a busy machine may show them twice, as the README says. */
const mostDoubled = 2;
const keep = asked.keep === null ? null : resolve(asked.keep);
if (keep !== null) mkdirSync(keep, { recursive: true });

const missing = await findTools();
if (missing.length > 0) {
  console.log(`skipped: the terminal emulators: there is no ${missing.join(", ")} on PATH`);
  process.exit(0);
}
const versions = await Promise.all(emulatorNames.filter((name) => (asked.emulator ?? name) === name).map(async (name) => [name, await findEmulator(name)]));
const found = versions.filter(([, version]) => version !== null);
for (const [name, version] of versions) if (version === null) console.log(`skipped: ${name}: it is not on PATH`);

const busy = asked.load ? [1, 2].map(() => spawn(process.execPath, ["-e", "for(;;);"])) : [];
const results = await Promise.all(found.map(([name]) => tryEmulator(name)));
for (const each of busy) each.kill("SIGKILL");
const broken = [printStreams(), printCases()];
process.exitCode = broken.includes(true) ? 1 : 0;

/** All of it in one emulator, one after the other, on a display of its own. */
async function tryEmulator(name) {
  const display = await openDisplay();
  try {
    const streams = {};
    const names = Object.keys(commands).filter((program) => (asked.program ?? program) === program);
    for (const program of names) streams[program] = await inFolder((home) => streamInto(name, { program, command: commands[program], display, home, pause: asked.pause ?? 230, keep }));
    const cases = await inFolder((home) => runCases(name, { command: commands.unroll, display, home, keep }));
    return { streams, cases };
  } finally {
    await display.close();
  }
}

/** Gives the error's first line where it fails. */
async function inFolder(run) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "unroll-emulator-")));
  try {
    return await run(home);
  } catch (error) {
    return `ended: ${error.message.split("\n")[0]}`;
  } finally {
    spawnSync("pkill", ["-KILL", "-f", home]); // the Codex CLI leaves servers behind
    rmSync(home, { recursive: true, force: true });
  }
}

function printStreams() {
  const rows = found.flatMap(([name, version], at) =>
    Object.entries(results[at].streams).map(([program, counted]) => ({ emulator: `${name} ${version}`, program, counted })),
  );
  console.log("\n| emulator | program | missing | doubled | out of order | cut | with foreign text |\n|---|---|---|---|---|---|---|");
  const count = (list) => (list.length === 0 ? "0" : `${list.length} (${list.slice(0, 3).join(" ")})`);
  for (const { emulator, program, counted } of rows) {
    const cells = typeof counted === "string" ? [counted, "", "", "", ""] : Object.values(counted).map(count);
    console.log(`| ${emulator} | ${program} | ${cells.join(" | ")} |`);
  }
  return rows.some(({ emulator, program, counted }) => program === "unroll" && isWrong(counted, emulator));
}

/** xterm cuts the rows that it shows when it gets narrower; nothing that a program writes can prevent that. */
function isWrong(counted, emulator) {
  if (typeof counted === "string") return true;
  const { missing: lost, doubled, misplaced, cut, extra } = counted;
  const lists = emulator.startsWith("xterm") ? [lost, misplaced] : [lost, misplaced, cut.filter((marker) => !doubled.includes(marker)), extra];
  return doubled.length > mostDoubled || lists.some((list) => list.length > 0);
}

function printCases() {
  console.log(`\n| case | ${found.map(([name, version]) => `${name} ${version}`).join(" | ")} |\n|---|${found.map(() => "---|").join("")}`);
  const outcomeOf = (title, { cases }) => (typeof cases === "string" ? cases : cases[title]);
  for (const title of caseNames) console.log(`| ${title} | ${results.map((each) => outcomeOf(title, each)).join(" | ")} |`);
  return results.some((each) => caseNames.some((title) => !/^(?:ok|none)\b/.test(outcomeOf(title, each))));
}
