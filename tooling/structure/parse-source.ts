import { posix } from "node:path";
import { type ParseResult, parseSync, Visitor } from "oxc-parser";

export interface SourceFile {
  readonly file: string;
  readonly text: string;
  readonly program: ParseResult["program"];
  readonly comments: ParseResult["comments"];
  /** Relative imports of any form, resolved: values, types, re-exports, `import()` and `import("…").Type`. */
  readonly imports: readonly Import[];
  /** Its exported names, declared here or passed on. */
  readonly exports: readonly Export[];
  /** From 1. */
  lineOf(offset: number): number;
}

interface Import {
  readonly to: string;
  readonly line: number;
}

interface Export {
  /** Null: all that the file of `from` exports. */
  readonly name: string | null;
  /** The specifier that it is passed on from, as it is written; null: it is of this file. */
  readonly from: string | null;
}

export function parseSource(file: string, text: string): SourceFile {
  const { program, module, comments } = parseSync(file, text);
  const lineOf = countLines(text);
  const found: { specifier: string; offset: number }[] = [];
  const add = (specifier: string, offset: number): void => void found.push({ specifier, offset });
  for (const { moduleRequest } of module.staticImports) add(moduleRequest.value, moduleRequest.start);
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) if (moduleRequest) add(moduleRequest.value, moduleRequest.start);
  }
  new Visitor({
    ImportExpression({ source }) {
      if (source.type === "Literal" && typeof source.value === "string") add(source.value, source.start);
    },
    TSImportType({ source }) {
      add(source.value, source.start);
    },
  }).visit(program);
  const imports = found
    .filter(({ specifier }) => specifier.startsWith("."))
    .map(({ specifier, offset }) => ({
      to: posix.normalize(posix.join(posix.dirname(file), specifier)),
      line: lineOf(offset),
    }));
  const exports = module.staticExports.flatMap(({ entries }) =>
    entries.map(({ exportName: { name }, moduleRequest }) => ({ name, from: moduleRequest?.value ?? null })),
  );
  return { file, text, program, comments, imports, exports, lineOf };
}

/** The line of an offset, from 1. The line ends are looked up once, when the first offset is asked for. */
export function countLines(text: string): (offset: number) => number {
  let ends: readonly number[] | null = null;
  return (offset) => {
    ends ??= [...text.matchAll(/\n/g)].map(({ index }) => index);
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
