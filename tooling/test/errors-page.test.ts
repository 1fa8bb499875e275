import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exitCodes, toTurnExitCode } from "../../packages/program/src/failure/exit-codes.ts";
import { toProgramFailure } from "../../packages/program/src/failure/program-failure.ts";
import { listErrors, type ToldError } from "../errors/list-errors.ts";

const root = join(import.meta.dirname, "../..");
const head = `# Errors

What unroll can say is wrong, by code: with \`--json\` the code is \`error.code\` of \`turn.failed\`, and for programs that use the packages the
\`code\` of what is thrown. \`…\` stands for what is filled in. Made from the sources; a server's own codes and messages are passed on as they
came, and are not here. [exec.md](exec.md) says what the exit codes mean; \`5 or none\`: an error where a file is at fault, else 2, and
some are warnings.

| code | exit | from | message |
|---|---|---|---|
`;

test("docs/errors.md lists what the code says of errors (-u writes it)", async () => {
  const files = globSync("{packages,apps}/*/src/**/*.ts", { cwd: root }).toSorted();
  const told = files.flatMap((file) =>
    listErrors(file, readFileSync(join(root, file), "utf8")).map((each) => ({
      ...each,
      from: file.split("/")[1] ?? "",
    })),
  );
  const rows = new Set(
    told
      .filter(({ from, message }) => from !== "scripted-model" && /\p{L}{3}/u.test(message))
      .map((each) => `| \`${each.code}\` | ${exitCodeOf(each)} | ${each.from} | ${escape(each.message)} |`),
  );
  expect(rows.size).toBeGreaterThan(50);
  await expect(`${head}${[...rows].toSorted().join("\n")}\n`).toMatchFileSnapshot(join(root, "docs/errors.md"));
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

function exitCodeOf({ code, thrown, message, from }: ToldError & { readonly from: string }): string {
  // the config says by a code alone what is a warning, and with the file what is an error
  if (thrown === null) return from === "config" ? `${exitCodes.config} or none` : String(toTurnExitCode(code));
  return String(toProgramFailure(Object.assign(new Error(message), { name: thrown, code })).exitCode);
}

function escape(text: string): string {
  return text.replaceAll("\n", " ").replaceAll("|", "\\|").replaceAll("<", "\\<").trim();
}
