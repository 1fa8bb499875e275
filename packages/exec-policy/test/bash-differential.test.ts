import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readScript } from "@unroll/exec-policy";
import fc from "fast-check";
import { expect, test } from "vitest";

const bash = "/bin/bash";

/**
 * Runs each script twice, its commands once failing and once not; writes the words of every command that starts. Each
 * record is one write, for Bash flushes at a newline and commands run side by side.
 */
const recorder = String.raw`
exec 9>&1
number=0
command_not_found_handle() {
  local IFS=$'\x1f' record
  record="$number$IFS$*"
  printf '%s\x1e' "${"$"}{record//$'\n'/$'\x1c'}" >&9
  return "$outcome"
}
while IFS= read -r -d '' script; do
  for outcome in 0 1; do
    (eval "$script"; wait) >/dev/null 2>&1 </dev/null
  done
  number=$((number + 1))
done
`;

const pieces = fc.constantFrom(
  ...(
    "c0 c1 c2 a b 'q r' \"d e\" '' \\' \"\\$x\" e\\ f g'h'i -x --y=z 1 if then fi in { } ! ~x = # ( ) && || | ; & " +
    "\\\\ 'it'\\''s' \"a'b\" $'n\\tq' * [a] =~/x >f 2>&1 c3 c4 | && ; c0 c1"
  ).split(" "),
  "\n",
  "\\\n",
  "\t",
);
const scripts = fc
  .array(fc.tuple(pieces, fc.constantFrom(" ", " ", " ", "")), { minLength: 1, maxLength: 10 })
  .map((parts) => parts.flat().join(""));

test.skipIf(!existsSync(bash))("Bash runs no command that is not in the reading of a plain script", () => {
  const plain = fc.sample(scripts, { numRuns: 1500, seed: 20_260_101 }).flatMap((script) => {
    const { commands, flaw } = readScript(script, "bash");
    const isPlain =
      flaw === null &&
      commands.every(({ words, redirects }) => redirects.length === 0 && words.every((word) => word.kind === "static"));
    return isPlain ? [{ script, listed: commands.map(({ words }) => words.map((word) => word.text)) }] : [];
  });
  expect(plain.length).toBeGreaterThan(200);
  const run = spawnSync(bash, ["--norc", "--noprofile", "-c", recorder], {
    input: plain.map(({ script }) => `${script}\0`).join(""),
    env: { PATH: "/nonexistent" },
    encoding: "utf8",
  });
  const records = run.stdout.replaceAll("\x1C", "\n").split("\x1E").slice(0, -1);
  expect(records.length).toBeGreaterThan(plain.length);
  const unlisted = records.flatMap((record) => {
    const [number, ...argv] = record.split("\x1F");
    const { script, listed } = plain[Number(number)] ?? { script: "", listed: [] };
    const isListed = listed.some((words) => JSON.stringify(words) === JSON.stringify(argv));
    return isListed ? [] : [{ script, argv, listed }];
  });
  expect(unlisted).toEqual([]);
});
