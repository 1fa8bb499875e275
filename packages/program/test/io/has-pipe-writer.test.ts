import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

const source = new URL("../../src/io/has-pipe-writer.ts", import.meta.url).href;
const program = `
  const { fstatSync } = await import("node:fs");
  const { hasPipeWriter } = await import(${JSON.stringify(source)});
  console.log(hasPipeWriter(fstatSync(0).ino, process.pid));
`;
const look = `'${process.execPath}' --input-type=module -e "$PROGRAM"`;

test.runIf(process.platform === "linux").for([
  ["a program in front of the pipe can write to it", `cat fifo | { ${look}; echo >fifo; }`, "true\n"],
  ["one that has ended cannot", `: | { cat; ${look}; }`, "false\n"],
  ["whoever started us does not count", `exec 3>&1; coproc ${look} >&3; wait`, "false\n"],
  ["who only reads the pipe does not count", `: | { sleep 60 & ${look}; kill $!; }`, "false\n"],
] as const)("%s", async ([, script, expected]) => {
  const child = spawn("bash", ["-c", `cd "$(mktemp -d)" && mkfifo fifo && trap 'rm -r "$PWD"' EXIT; ${script}`], {
    env: { PATH: process.env["PATH"], PROGRAM: program },
    stdio: ["ignore", "pipe", "inherit"],
  });
  expect(await text(child.stdout)).toBe(expected);
});
