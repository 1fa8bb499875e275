/** JSON of our own, written by us and reviewed: its shape is not checked again. */
export function parseNameTable(text: string): Readonly<Record<string, readonly string[]>> {
  return JSON.parse(text) as Readonly<Record<string, readonly string[]>>;
}

export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

export function parseManifest(text: string): Manifest {
  return JSON.parse(text) as Manifest;
}

/** The paths that a `tsconfig.json` of ours refers to. */
export function parseReferences(text: string): readonly string[] {
  const { references = [] } = JSON.parse(text) as { readonly references?: readonly { readonly path: string }[] };
  return references.map(({ path }) => path);
}
