import { type BindingPattern, type ParamPattern, type PropertyKey, Visitor } from "oxc-parser";
import { isExcused } from "./is-excused.ts";
import type { SourceFile } from "./parse-source.ts";
import type { Repository } from "./repository.ts";

/** Where a session is what it is: a command that the model left running; or, in `apps/acp`, what that protocol calls so. */
const ofSessions =
  /^(?:packages\/(?:protocol\/src\/command|process-tree|sandbox|login-shell|tools|harness)|apps\/acp)\/|^apps\/terminal\/src\/(?:command\/list\/ps|conversation\/conversation)\.ts$/;

/**
 * A word that stands for one thing: no name of another thing is made of it. Names of others that use the word are
 * strings, or excused.
 */
export function checkWords(repository: Repository): readonly string[] {
  return repository
    .list("{packages,apps}/*/src/**/*.ts", "{bench,simulation}/src/**/*.ts")
    .filter((file) => !ofSessions.test(file))
    .flatMap((file) => checkFile(repository.source(file)));
}

function checkFile(source: SourceFile): readonly string[] {
  const found = new Map<number, string>();
  const check = (name: BindingPattern | ParamPattern | PropertyKey | null): void => {
    if (name?.type === "Identifier" && /session/i.test(name.name)) found.set(name.start, name.name);
  };
  const checkFunction = (declared: { readonly params: readonly ParamPattern[] }): void =>
    declared.params.forEach(check);
  new Visitor({
    VariableDeclarator: ({ id }) => check(id),
    FunctionDeclaration(declared) {
      check(declared.id);
      checkFunction(declared);
    },
    ArrowFunctionExpression: checkFunction,
    ClassDeclaration: ({ id }) => check(id),
    MethodDefinition: ({ key }) => check(key),
    PropertyDefinition: ({ key }) => check(key),
    TSInterfaceDeclaration: ({ id }) => check(id),
    TSTypeAliasDeclaration: ({ id }) => check(id),
    TSPropertySignature: ({ key }) => check(key),
    TSMethodSignature: ({ key }) => check(key),
  }).visit(source.program);
  return [...found]
    .map(([offset, name]) => ({ name, line: source.lineOf(offset) }))
    .filter(({ line }) => !isExcused(source, line, "words"))
    .map(
      ({ name, line }) =>
        `${source.file}:${line}: ${name}: a session is a command that was left running; a conversation is a thread, a link to a server a connection`,
    );
}
