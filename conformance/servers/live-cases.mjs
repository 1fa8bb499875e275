// The cases for every real server. `say`: the pieces that a made-up model is to say, a step for each answer of the
// thread, where the address has a place for them. With a step `@ID`, the answers are counted by the messages to that
// id.
import { randomUUID } from "node:crypto";
import { shortenFault } from "./programs.mjs";

const shell = (program) => (program === "codex" ? "H_exec" : "H_unroll");
const call = (program, command) => `TC,${shell(program)},${command}`;
const greet = "G1";

const fail = ({ isCompleted, exitCode, told }) => {
  if (isCompleted && exitCode === 0) return null;
  const message = [...told.matchAll(/"message":"((?:[^"\\]|\\.)*)"/g)].at(-1)?.[1];
  return shortenFault(message ?? told.trim().split("\n").at(-1) ?? "no end");
};

const hasRun = ({ told }) => (/"type":"command_execution"/.test(told) ? null : "no command ran");

export const liveCases = [
  {
    name: "it says something",
    say: () => greet,
    async run(world) {
      const result = await world.say("Say hello in one short sentence, and call no tool.");
      return fail(result) ?? (result.said.length > 0 ? null : "nothing was said");
    },
  },
  {
    name: "it runs a command and ends",
    say: (program) => `${call(program, "C9")};${greet}`,
    async run(world) {
      const result = await world.say("Run the command `uname -sr` once with your tool, then say what it printed.");
      return fail(result) ?? hasRun(result);
    },
  },
  {
    name: "it thinks, says a word and runs a command",
    say: (program) => `T1,P1,${call(program, "C9")};${greet}`,
    async run(world) {
      const result = await world.say("Think first, say in a sentence what you will do, then run `uname -sr` once, then say what it printed.");
      return fail(result) ?? hasRun(result) ?? (result.said.length > 1 ? null : "only the last message was shown");
    },
  },
  {
    name: "several commands in one answer run, each once",
    say: (program) => `TC,TC2,${shell(program)},C9;${greet}`,
    async run(world) {
      const result = await world.say("Call your shell tool twice in one answer, each time with `uname -sr`; then say what they printed.");
      return fail(result) ?? hasRun(result);
    },
  },
  {
    name: "three turns of one thread",
    say: (program) => [call(program, "C9"), greet, call(program, "C0"), greet].join(";"),
    async run(world) {
      const results = [await world.say("Run `uname -sr` once and say what it printed."), await world.say("Run `ls -la` once."), await world.say("Say goodbye.")];
      return results.map(fail).find((fault) => fault !== null) ?? null;
    },
  },
  {
    name: "a thread that is resumed with a changed AGENTS.md",
    say: () => greet,
    async run(world) {
      world.write("AGENTS.md", "Be brief.\n");
      const first = fail(await world.say("Say hello."));
      world.write("AGENTS.md", "Be brief, and kind.\n");
      return first ?? fail(await world.say("Say goodbye."));
    },
  },
  {
    name: "a command with more output than the window, and the thread goes on",
    // counted by the server, as the thread may forget what it was answered
    say: (program) => [`@${randomUUID()}`, call(program, "C11"), greet].join(";"),
    async run(world) {
      world.write("big.txt", Array.from({ length: 6000 }, (_, line) => `line ${line} of a long file\n`).join(""));
      return fail(await world.say("Run `cat big.txt` once, then say done.")) ?? fail(await world.say("Say goodbye."));
    },
  },
  {
    name: "an image, and the thread goes on",
    say: () => greet,
    async run(world) {
      world.write("dot.png", onePixel);
      await world.say("What do you see?", "-i", "dot.png").catch(() => null);
      return fail(await world.say("Say goodbye."));
    },
  },
];

const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
