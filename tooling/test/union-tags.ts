import type { TSInterfaceDeclaration, TSType, TSTypeAliasDeclaration, TSTypeAnnotation, TSSignature } from "oxc-parser";
import type { Repository } from "../structure/repository.ts";

type Declaration = TSTypeAliasDeclaration | TSInterfaceDeclaration;

/** The `type` of each member of a union, or the strings of a union of strings, as the files of a folder declare it; sorted. */
export function listUnionTags(repository: Repository, folder: string, name: string): readonly string[] {
  const declared = new Map<string, Declaration>();
  for (const file of repository.list(`${folder}/**/*.ts`)) {
    for (const statement of repository.source(file).program.body) {
      const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
      if (declaration?.type === "TSTypeAliasDeclaration" || declaration?.type === "TSInterfaceDeclaration")
        declared.set(declaration.id.name, declaration);
    }
  }
  return [...new Set(tagsOfName(name, declared))].toSorted();
}

function tagsOfName(name: string, declared: ReadonlyMap<string, Declaration>): readonly string[] {
  const declaration = declared.get(name);
  if (declaration === undefined) throw new Error(`${name} is not declared there`);
  return declaration.type === "TSInterfaceDeclaration"
    ? tagsOfMembers(declaration.body.body)
    : tagsOfType(declaration.typeAnnotation, declared);
}

function tagsOfType(type: TSType, declared: ReadonlyMap<string, Declaration>): readonly string[] {
  if (type.type === "TSUnionType") return type.types.flatMap((each) => tagsOfType(each, declared));
  if (type.type === "TSParenthesizedType") return tagsOfType(type.typeAnnotation, declared);
  if (type.type === "TSTypeReference" && type.typeName.type === "Identifier")
    return tagsOfName(type.typeName.name, declared);
  if (type.type === "TSTypeLiteral") return tagsOfMembers(type.members);
  return literalsOf(type);
}

function tagsOfMembers(members: readonly TSSignature[]): readonly string[] {
  return members.flatMap((member) =>
    member.type === "TSPropertySignature" && member.key.type === "Identifier" && member.key.name === "type"
      ? annotated(member.typeAnnotation)
      : [],
  );
}

function annotated(annotation: TSTypeAnnotation | null | undefined): readonly string[] {
  return annotation ? literalsOf(annotation.typeAnnotation) : [];
}

function literalsOf(type: TSType): readonly string[] {
  if (type.type === "TSUnionType") return type.types.flatMap(literalsOf);
  return type.type === "TSLiteralType" && type.literal.type === "Literal" ? [String(type.literal.value)] : [];
}
