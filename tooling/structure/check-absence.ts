import { type TSType, type TSTypeAnnotation, Visitor } from "oxc-parser";
import { isExcused } from "./is-excused.ts";
import type { SourceFile } from "./parse-source.ts";
import type { Repository } from "./repository.ts";

/** A function that has nothing to give returns null, data that has nothing holds null; only what may be left out is `?:`. */
export function checkAbsence(repository: Repository): readonly string[] {
  return repository
    .list("{packages,apps}/*/src/**/*.ts", "{bench,simulation}/src/**/*.ts")
    .flatMap((file) => checkFile(repository.source(file)));
}

function checkFile(source: SourceFile): readonly string[] {
  const found: { offset: number; what: string }[] = [];
  const checkReturn = ({ returnType }: { readonly returnType?: TSTypeAnnotation | null }): void => {
    if (returnType && givesUndefined(returnType.typeAnnotation))
      found.push({ offset: returnType.start, what: "a return type includes undefined: return null" });
  };
  new Visitor({
    FunctionDeclaration: checkReturn,
    FunctionExpression: checkReturn,
    ArrowFunctionExpression: checkReturn,
    TSDeclareFunction: checkReturn,
    TSEmptyBodyFunctionExpression: checkReturn,
    TSMethodSignature: checkReturn,
    TSFunctionType: checkReturn,
    TSCallSignatureDeclaration: checkReturn,
    TSPropertySignature({ optional, typeAnnotation, start }) {
      if (!optional && typeAnnotation && hasUndefined(typeAnnotation.typeAnnotation))
        found.push({ offset: start, what: "a member may be undefined: let it hold null" });
    },
    PropertyDefinition({ optional, typeAnnotation, start }) {
      if (optional !== true && typeAnnotation && hasUndefined(typeAnnotation.typeAnnotation))
        found.push({ offset: start, what: "a field may be undefined: let it hold null" });
    },
    TSTypeAliasDeclaration({ typeAnnotation, start }) {
      if (hasUndefined(typeAnnotation))
        found.push({ offset: start, what: "a type includes undefined: let it be null" });
    },
  }).visit(source.program);
  return found
    .map(({ offset, what }) => ({ line: source.lineOf(offset), what }))
    .filter(({ line }) => !isExcused(source, line, "absence"))
    .map(({ line, what }) => `${source.file}:${line}: ${what}`);
}

/** By itself, or as what a promise resolves to. */
function givesUndefined(type: TSType): boolean {
  if (hasUndefined(type)) return true;
  const promised =
    type.type === "TSTypeReference" && type.typeName.type === "Identifier" && type.typeName.name === "Promise";
  return promised && (type.typeArguments?.params.some(hasUndefined) ?? false);
}

function hasUndefined(type: TSType): boolean {
  if (type.type === "TSParenthesizedType") return hasUndefined(type.typeAnnotation);
  return (
    type.type === "TSUnionType" && type.types.some((each) => each.type === "TSUndefinedKeyword" || hasUndefined(each))
  );
}
