import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toTurnExitCode } from "../../packages/program/src/failure/exit-codes.ts";
import { toProgramFailure } from "../../packages/program/src/failure/program-failure.ts";
import { codeMeanings } from "../errors/code-meanings.ts";
import { listErrors, type ToldError } from "../errors/list-errors.ts";

const root = join(import.meta.dirname, "../..");
const head = `# Errors

unroll reports each problem with a code and a sentence that says what to do. This page lists all codes with their meaning, exit code and
messages, so that you can search for what you see.

\`\`\`
$ unroll exec --json --max-turns 1 "run: ls" | tail -1
{"type":"turn.failed","error":{"code":"budget_exhausted","message":"The budget of the run is used up (max_turns): 1 of 1 requests to the model were made. …",…},…}
\`\`\`

- At the terminal and in \`unroll exec\`, search this page for the words of the message. \`…\` stands for a part that varies.
- With \`--json\`, the code is \`error.code\` of [\`turn.failed\`](events.md#error-codes). In the library it is the \`code\` of the thrown error.
- A script can go by the exit code; [exec.md](exec.md#exit-codes) explains them. \`5 or 2\` means 5 if a file is wrong, and else 2.
  A \`warning\` does not end the run; [\`--strict-config\`](config.md#when-something-is-wrong) turns most of them into errors.

The page is generated from the sources. Servers send codes and messages of their own; unroll passes them on unchanged, and they are not listed
here. Messages that name \`npm install\` speak of published packages. Nothing is on npm yet: \`npm run pack\` in a clone makes packages to
install ([start.md](start.md)).

## Codes
`;

interface ListedError extends ToldError {
  readonly from: string;
}

const sources = globSync("{packages,apps}/*/src/**/*.ts", { cwd: root })
  .toSorted()
  .map((file) => [file, readFileSync(join(root, file), "utf8")] as const);

/** Every message of the sources that a person can be shown. */
const told: readonly ListedError[] = sources
  .flatMap(([file, text]) => listErrors(file, text).map((each) => ({ ...each, from: file.split("/")[1] ?? "" })))
  .filter(({ from, message }) => from !== "scripted-model" && /\p{L}{3}/u.test(message))
  .filter(({ code }) => code !== "custom"); // a fault of a schema, which no person is shown

test("docs/errors.md lists what the code says of errors (-u writes it)", async () => {
  const byCode = Map.groupBy(told, ({ code }) => code);
  expect(byCode.size).toBeGreaterThan(50);
  const tables = Object.entries(codeMeanings).map(([title, codes]) => {
    const rows = Object.entries(codes).map(([code, { meaning, advice }]) => {
      const name = byCode.has(code) ? `[\`${code}\`](#${code})` : `\`${code}\``;
      return `| ${name} | ${toExitCodes(code, byCode.get(code) ?? [])} | ${meaning} | ${advice} |`;
    });
    return `\n### ${title}\n\n| code | exit | meaning | what to do |\n|---|---|---|---|\n${rows.join("\n")}\n`;
  });
  const messages = [...byCode.keys()].toSorted().map((code) => {
    const lines = new Set(byCode.get(code)?.map(({ from, message }) => `- ${escape(message)} (${from})`));
    return `\n### \`${code}\`\n\n${[...lines].toSorted().join("\n")}\n`;
  });
  const page = [head, ...tables, "\n## Messages\n\nThe name in parentheses is the package.\n", ...messages].join("");
  await expect(page).toMatchFileSnapshot(join(root, "docs/errors.md"));
});

test("every code has a meaning, and every meaning is of a code", () => {
  const explained = Object.values(codeMeanings).flatMap((codes) => Object.keys(codes));
  const codes = new Set(told.map(({ code }) => code));
  expect([...codes].filter((code) => !explained.includes(code))).toEqual([]);
  expect(explained.filter((code) => !sources.some(([, text]) => text.includes(`"${code}"`)))).toEqual([]);
});

test("what is filled in, chosen and put together is understood", () => {
  const source = `
const reason = busy ? \`\${name} is busy.\` : "Nobody is there.";
throw new HarnessError("thread_busy", reason);
const error = { code: fatal ? "one_way" : "other_way", message: "It " + verb + " so." };
const status = { code: 4, message: "No code." };`;
  expect(listErrors("a.ts", source)).toEqual([
    { code: "thread_busy", message: "… is busy.", thrown: "HarnessError" },
    { code: "thread_busy", message: "Nobody is there.", thrown: "HarnessError" },
    { code: "one_way", message: "It … so.", thrown: null },
    { code: "other_way", message: "It … so.", thrown: null },
  ]);
});

/** All exit codes that the messages of one code lead to. */
function toExitCodes(code: string, messages: readonly ListedError[]): string {
  const [title, meaning] = Object.entries(codeMeanings)
    .map(([name, codes]) => [name, codes[code]] as const)
    .find(([, found]) => found !== undefined) ?? ["", undefined];
  if (meaning?.isWarning === true) return "warning";
  if (messages.length > 0) return [...new Set(messages.flatMap(listExitCodes))].toSorted((a, b) => b - a).join(" or ");
  const isOfTurn = title === "Model and server" || title === "Runs";
  return String(isOfTurn ? toTurnExitCode(code) : toThrownExitCode("HarnessError", { code }));
}

/** The config throws `ConfigError` for a file, and for the command line. */
function listExitCodes({ code, thrown, from }: ListedError): readonly number[] {
  if (thrown !== null) return [toThrownExitCode(thrown, { code })];
  if (from !== "config") return [toTurnExitCode(code)];
  return [{ code, file: "config.toml" }, { code }].map((members) => toThrownExitCode("ConfigError", members));
}

function toThrownExitCode(name: string, members: object): number {
  return toProgramFailure(Object.assign(new Error(), { name, ...members })).exitCode;
}

function escape(text: string): string {
  return text.replaceAll("\n", " ").replaceAll("|", "\\|").replaceAll("<", "\\<").trim();
}
