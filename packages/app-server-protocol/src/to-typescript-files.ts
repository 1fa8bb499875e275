import { type JsonSchema, type ProtocolType, toProtocolTypes } from "./protocol-types.ts";
import { findRefs } from "./to-json-schema-files.ts";
import { toType } from "./to-type.ts";

/** The protocol as TypeScript, by the paths of the files: one for each type, and an index for each folder. */
export function toTypeScriptFiles(options: { readonly experimental: boolean }): Readonly<Record<string, string>> {
  const types = toProtocolTypes(options);
  const folders = new Map(types.map(({ name, typescript }) => [name, typescript]));
  const root = types.filter(({ typescript }) => typescript === null);
  const current = types.filter(({ typescript }) => typescript !== null);
  return {
    ...Object.fromEntries(types.map((type) => [`${toFolder(type.typescript)}${type.name}.ts`, toFile(type, folders)])),
    "index.ts": `${toIndex(root)}export * as v2 from "./v2";\n`,
    "v2/index.ts": toIndex(current),
  };
}

const header = "// Written by unroll app-server generate-ts.\n\n";

function toFolder(folder: string | null): string {
  return folder === null ? "" : `${folder}/`;
}

function toIndex(types: readonly ProtocolType[]): string {
  return `${header}${types.map(({ name }) => `export type { ${name} } from "./${name}";\n`).join("")}`;
}

function toFile({ name, typescript, schema }: ProtocolType, folders: ReadonlyMap<string, string | null>): string {
  const imports = [...findRefs(schema)].toSorted().map((ref) => {
    const folder = folders.get(ref) ?? null;
    const from = folder === typescript ? "./" : typescript === null ? `./${toFolder(folder)}` : "../";
    return `import type { ${ref} } from "${from}${ref}";\n`;
  });
  const gap = imports.length === 0 ? "" : "\n";
  return `${header}${imports.join("")}${gap}export type ${name} = ${toType(schema satisfies JsonSchema)};\n`;
}
