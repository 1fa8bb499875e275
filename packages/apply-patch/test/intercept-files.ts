import type { MemoryPatchFiles, PatchFiles, PatchFolder } from "@unroll/apply-patch";

type Method = (...args: readonly unknown[]) => unknown;
type MethodName = "openFolder" | Exclude<keyof PatchFolder, "realPath" | "identity">;
/** `args` as they were given, each `name` as a real path. */
type Intercept = (name: MethodName, call: () => unknown, args: readonly unknown[]) => unknown;

/**
 * A port that passes every call, also of the folders it opens, to `intercept`, which may call the tree's own method.
 */
export function interceptFiles(tree: MemoryPatchFiles, intercept: Intercept): PatchFiles {
  return {
    resolve: (base, path) => tree.resolve(base, path),
    openFolder: async (path) => {
      const folder = (await intercept("openFolder", () => tree.openFolder(path), [path])) as PatchFolder | null;
      return folder && interceptFolder(folder, intercept);
    },
  };
}

function interceptFolder(folder: PatchFolder, intercept: Intercept): PatchFolder {
  return new Proxy(folder, {
    get(target, name: keyof PatchFolder) {
      if (name === "realPath" || name === "identity") return target[name];
      if (typeof target[name] !== "function") return target[name];
      const method = target[name].bind(target) as Method;
      return async (...args: readonly unknown[]) => {
        const paths = args.map((arg) => (typeof arg === "string" ? `${target.realPath}/${arg}` : arg));
        const result = await intercept(name, () => method(...args), paths);
        return name === "makeFolder" ? interceptFolder(result as PatchFolder, intercept) : result;
      };
    },
  });
}

const readingNames: ReadonlySet<MethodName> = new Set([
  "openFolder",
  "isInPlace",
  "stat",
  "followLink",
  "readFile",
  Symbol.asyncDispose,
]);

/** A port that calls `act` in place of its n-th writing call, and the names of those calls so far. */
export function interruptFiles(
  tree: MemoryPatchFiles,
  at: number,
  act: (call: () => unknown) => unknown,
): { readonly files: PatchFiles; readonly calls: readonly MethodName[] } {
  const calls: MethodName[] = [];
  const files = interceptFiles(tree, (name, call) => {
    if (readingNames.has(name)) return call();
    calls.push(name);
    return calls.length === at ? act(call) : call();
  });
  return { files, calls };
}
