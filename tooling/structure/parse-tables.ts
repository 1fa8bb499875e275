/** JSON of our own, written by us and reviewed: its shape is not checked again. */
export function parseNameTable(text: string): Readonly<Record<string, readonly string[]>> {
  return JSON.parse(text) as Readonly<Record<string, readonly string[]>>;
}

export interface Manifest {
  readonly name: string;
  /** Absent: it is published. */
  readonly private?: boolean;
  readonly bin?: object;
  readonly sideEffects?: boolean;
  /** By entry (`.`, `./node`), by condition; a string where there is one for all. */
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

export function parseManifest(text: string): Manifest {
  return JSON.parse(text) as Manifest;
}

/** Our packages that its sources import: a command is one bundle, so its packages are `devDependencies`. */
export function listImports({ bin, dependencies, devDependencies, peerDependencies }: Manifest): readonly string[] {
  return Object.keys({ ...dependencies, ...peerDependencies, ...(bin === undefined ? {} : devDependencies) })
    .filter((name) => name.startsWith("@unroll/"))
    .map((name) => name.slice("@unroll/".length));
}

/** The paths that a `tsconfig.json` of ours refers to. */
export function parseReferences(text: string): readonly string[] {
  const { references = [] } = JSON.parse(text) as { readonly references?: readonly { readonly path: string }[] };
  return references.map(({ path }) => path);
}
