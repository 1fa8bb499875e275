import { type ParamPattern, type PropertyKey, Visitor } from "oxc-parser";
import type { SourceFile } from "./parse-source.ts";
import type { Repository } from "./repository.ts";

const owner = "packages/flow/src/clock.ts";
const words = new Set(["now", "elapsed", "sleep", "setTimer"]);

/** The verbs of time are declared once, so that each means the same everywhere; a port takes those that it needs by `Pick`. */
export function checkClock(repository: Repository): readonly string[] {
  return repository
    .list("{packages,apps}/*/src/**/*.ts")
    .filter((file) => file !== owner)
    .flatMap((file) => checkFile(repository.source(file)));
}

function checkFile(source: SourceFile): readonly string[] {
  const found: string[] = [];
  const check = (key: PropertyKey | ParamPattern, offset: number): void => {
    if (key.type !== "Identifier" || !words.has(key.name)) return;
    const line = source.lineOf(offset);
    found.push(
      `${source.file}:${line}: declares ${key.name}() anew: take it by Pick<Clock, "${key.name}"> from @unroll/flow`,
    );
  };
  const checkParameters = ({ params }: { readonly params: readonly ParamPattern[] }): void => {
    for (const param of params) {
      const isFunction = param.type === "Identifier" && param.typeAnnotation?.typeAnnotation.type === "TSFunctionType";
      if (isFunction) check(param, param.start);
    }
  };
  new Visitor({
    FunctionDeclaration: checkParameters,
    ArrowFunctionExpression: checkParameters,
    TSMethodSignature: ({ key, start }) => check(key, start),
    TSPropertySignature({ key, typeAnnotation, start }) {
      if (typeAnnotation?.typeAnnotation.type === "TSFunctionType") check(key, start);
    },
  }).visit(source.program);
  return found;
}
