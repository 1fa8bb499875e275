import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessIo } from "@unroll/program";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../src/program.ts";

// `--help`, the docs and the tests name the same commands and flags.

const root = join(import.meta.dirname, "../../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
/** Without the reference of docs/cli.md, which is written from `--help`: what it names proves nothing. */
const docs = ["README.md", ...globSync("docs/*.md", { cwd: root })].map((file) => ({
  file,
  text: read(file).split("<!-- reference:")[0] ?? "",
}));
const tests = globSync("apps/cli/test/*.test.ts", { cwd: root }).map((file) => read(file));
const told = globSync(["CHANGELOG.md", ".changeset/*.md"], { cwd: root }).map((file) => read(file));
const program = createProgram({ io: {} as ProcessIo, exit: () => {} });

interface Leaf {
  /** As typed behind `unroll`: `mcp add`. */
  readonly name: string;
  readonly command: Command;
}

function leavesOf(command: Command, path: readonly string[] = []): readonly Leaf[] {
  return command.commands.flatMap((child) => {
    const name = [...path, child.name()];
    const runs = child.commands.length === 0 || child.registeredArguments.length > 0;
    return [...(runs ? [{ name: name.join(" "), command: child }] : []), ...leavesOf(child, name)];
  });
}

const leaves = leavesOf(program);

test("a subcommand is found by its name, without the others", () => {
  const names = program.commands.map((command) => command.name());
  const alone = names.map((name) => createProgram({ io: {} as ProcessIo, exit: () => {} }, [name]));
  expect(alone.map(({ commands }) => commands.map((command) => command.name()))).toEqual(names.map((name) => [name]));
});

/** `--name` of all that the help shows. */
function flagsOf(command: Command): readonly string[] {
  return command.options.flatMap(({ long, hidden }) => (hidden || !long ? [] : [long])).toSorted();
}

/** The text in code, each span on its own line. */
function toCode(text: string): string {
  const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  return [...blocks, ...[...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code)].join("\n");
}

function findCommand(name: string): Command {
  const found = leaves.find((leaf) => leaf.name === name);
  if (found === undefined) throw new Error(`there is no unroll ${name}`);
  return found.command;
}

/** The flags in a table whose first column has the form `-m, --model NAME`. */
function flagsInTable(file: string): readonly string[] {
  return [...read(file).matchAll(/^\| `(?:-\w, )?(--[\w-]+)[^`]*` \|/gm)].map((match) => match[1] ?? "").toSorted();
}

test("unroll exec --help and the table of its page name the same flags, and so do unroll --help and its own", () => {
  expect(flagsInTable("docs/exec.md")).toEqual(flagsOf(findCommand("exec")));
  expect([...flagsInTable("docs/terminal.md"), "--version"].toSorted()).toEqual(flagsOf(program));
});

/**
 * The flags of threads, which mean the same in every command. They are checked above, so any page that names the
 * command may describe them.
 */
const shared: readonly string[] = [...flagsOf(findCommand("exec")), ...flagsOf(program)];

/**
 * A command's own flags must be in the paragraph that names it, because the same page may describe another command's
 * flag.
 */
test.for(leaves)("the docs name unroll $name with its flags", ({ name, command }) => {
  const named = new RegExp(`\\bunroll ${name}\\b`);
  const pages = docs.filter(({ text }) => named.test(text)).map(({ text }) => text);
  expect(pages).not.toEqual([]);
  const passages = pages.flatMap(toPassages).filter((text) => named.test(text));
  const untold = command.options.filter(({ long, short, hidden }) => {
    const names = [long, short].filter((each) => each !== undefined);
    const places = names.some((each) => shared.includes(each)) ? pages : passages;
    return !hidden && !names.some((each) => new RegExp(`[ \`[]${each}\\b`).test(places.join("\n")));
  });
  expect(untold.map(({ flags }) => flags)).toEqual([]);
});

/** Paragraphs, rows of tables, items of lists; in code, each line with its continuation lines. */
function toPassages(page: string): readonly string[] {
  return page
    .split(/^(```\w*\n[\s\S]*?^```$)/gm)
    .flatMap((part) => part.split(part.startsWith("```") ? /\n(?!\s)/ : /\n\n|\n(?=\||- )/));
}

/** An argv begins with its words in this order; between two of them are only flags, each with at most one value. */
test.for(leaves)("a test runs unroll $name", ({ name }) => {
  const flags = `(?:,\\s*"-[^"]*"(?:,\\s*"[^-"][^"]*")?)*`;
  const words = name.split(" ").map((word) => `"${word}"`);
  const argv = new RegExp(`[[(]\\s*${words.join(`${flags},\\s*`)}`);
  expect(tests.some((text) => argv.test(text))).toBe(true);
});

test("CHANGELOG.md or a changeset names each subcommand", () => {
  const names = program.commands.map((command) => command.name());
  expect(names.filter((name) => !told.some((text) => new RegExp(`unroll ${name}\\b`).test(text)))).toEqual([]);
});

test("docs/cli.md shows every command that is at the top of the help by an example", () => {
  const examples = docs.find(({ file }) => file === "docs/cli.md")?.text ?? "";
  const missing = program
    .createHelp()
    .visibleCommands(program)
    .map((each) => each.name())
    .filter((name) => name !== "help" && !examples.includes(`unroll ${name}`));
  expect(missing).toEqual([]);
});

test("no page names an unknown command, or an unknown flag of a command", () => {
  const wrong = docs.flatMap(({ file, text }) =>
    [...toCode(text).matchAll(/(?:^|[|$(] ?)unroll ([a-z][a-z-]*)([^`\n#]*)/gm)].flatMap(
      ([line, first = "", rest = ""]) => {
        const top = program.commands.find((each) => each.name() === first);
        if (top === undefined) return [`${file}: ${line}`];
        const second = top.commands.find((each) => each.name() === rest.trim().split(" ")[0]);
        const known = [...flagsOf(second ?? top), "--help"];
        const flags = [...(rest.split(" -- ")[0] ?? "").replaceAll(/"[^"]*"/g, "").matchAll(/(?<=[ [])--[\w-]+/g)].map(
          ([flag]) => flag,
        );
        return flags.filter((flag) => !known.includes(flag)).map((flag) => `${file}: unroll ${first} ${flag}`);
      },
    ),
  );
  expect(wrong).toEqual([]);
});
