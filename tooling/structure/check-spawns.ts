import { Visitor } from "oxc-parser";
import type { SourceFile } from "./parse-source.ts";
import type { Repository } from "./repository.ts";

/** The modules that start processes. */
const modules = new Set(["child_process", "node:child_process", "cluster", "node:cluster", "node-pty"]);
/** The files that do, each for a `ProgramFile` only. */
const spawners = new Set(
  ["program/spawn-program", "spawn/spawn-child", "spawn/spawn-terminal"].map(
    (name) => `packages/process-tree/src/${name}.ts`,
  ),
);
/** The files that make a `ProgramFile`: the finders, and the code that runs the model's commands as they are. */
const makers: Readonly<Record<string, RegExp>> = {
  parseProgramFile: /^packages\/process-tree\/src\/program\//,
  toCommandFile:
    /^packages\/(?:process-tree\/src\/(?:program\/parse-program-file|index)|sandbox\/src\/runner\/prepare-command)\.ts$/,
};

/** Replaces process 1 by a program that `findSystemProgram` found. */
const replacer = "packages/process-tree/src/run/become-child-of-init.ts";

/** Every process is started by one of three functions, of a program that a finder has found: from PATH nothing is taken that a project can put there. */
export function checkSpawns(repository: Repository): readonly string[] {
  return repository.list("{packages,apps}/*/src/**/*.ts").flatMap((file) => checkFile(repository.source(file)));
}

function checkFile(source: SourceFile): readonly string[] {
  const { file } = source;
  const found: string[] = [];
  const types = new Set<number>();
  const say = (offset: number, what: string): unknown => found.push(`${file}:${source.lineOf(offset)}: ${what}`);
  new Visitor({
    ImportDeclaration({ importKind, specifiers, source: from }) {
      const isType = specifiers.every((each) => each.type === "ImportSpecifier" && each.importKind === "type");
      if (importKind === "type" || (isType && specifiers.length > 0)) types.add(from.start);
    },
    TSImportType: ({ source: from }) => void types.add(from.start),
    Literal({ value, start }) {
      if (spawners.has(file) || typeof value !== "string" || !modules.has(value) || types.has(start)) return;
      say(
        start,
        `uses ${value}: start programs by spawnProgram, runProgram or a ProcessLaunch of @unroll/process-tree`,
      );
    },
    Identifier({ name, start }) {
      if (name === "execve" && file !== replacer) say(start, "execve starts a program that no finder has found");
      if (Object.hasOwn(makers, name) && makers[name]?.test(file) !== true)
        say(start, `${name} makes a program of any text: take it of findSystemProgram or openPrograms`);
    },
  }).visit(source.program);
  return [...new Set(found)];
}
