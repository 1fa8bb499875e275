import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const reader = join(import.meta.dirname, "../parse-arguments.ts");
const script = `
  import { oneOf, parseArguments, wholeFrom } from ${JSON.stringify(reader)};
  const taken = { options: { seeds: wholeFrom(1) }, flags: ["steps"], words: { kind: oneOf(["a", "b"]) } };
  console.log(JSON.stringify(parseArguments("npm run try -- [--seeds N] [--steps] [a|b]", taken)));
`;
const usage = "usage: npm run try -- [--seeds N] [--steps] [a|b]\n";

function run(...args: readonly string[]): Promise<object> {
  const argv = ["--input-type=module", "--eval", script, "--", ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, argv, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
  });
}

test.concurrent.for([
  [["--seeds", "3", "b"], { code: 0, stdout: '{"steps":false,"seeds":3,"kind":"b","rest":[]}\n', stderr: "" }],
  [["--help"], { code: 0, stdout: usage, stderr: "" }],
  [["--nope"], { code: 2, stdout: "", stderr: `Unknown option '--nope'.\n${usage}` }],
  [["--seeds", "0"], { code: 2, stdout: "", stderr: `'0' cannot be seeds.\n${usage}` }],
  [["a", "b"], { code: 2, stdout: "", stderr: `There is no place for 'b'.\n${usage}` }],
] as const)(
  "a script of the repository takes what it says in its usage, and tells that otherwise: %j",
  async ([args, expected]) => {
    expect(await run(...args)).toEqual(expected);
  },
);
