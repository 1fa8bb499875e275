import type { MemoryPatchFiles, PatchFiles } from "@unroll/apply-patch";

type Method = (...args: readonly unknown[]) => unknown;

/** A port on which every call of a method goes through `intercept`, which may go on to the tree's own. */
export function interceptFiles(
  tree: MemoryPatchFiles,
  intercept: (name: keyof PatchFiles, call: () => unknown, args: readonly unknown[]) => unknown,
): PatchFiles {
  return new Proxy(tree, {
    get(target, name: keyof PatchFiles) {
      const method = target[name].bind(target) as Method;
      if (name === "resolve") return method;
      return async (...args: readonly unknown[]) => intercept(name, () => method(...args), args);
    },
  });
}

const readingNames: ReadonlySet<keyof PatchFiles> = new Set(["stat", "realpath", "readFile"]);

/** A port that calls `act` in place of its n-th writing call, and the names of those calls so far. */
export function interruptFiles(
  tree: MemoryPatchFiles,
  at: number,
  act: (call: () => unknown) => unknown,
): { readonly files: PatchFiles; readonly calls: readonly string[] } {
  const calls: string[] = [];
  const files = interceptFiles(tree, (name, call) => {
    if (readingNames.has(name)) return call();
    calls.push(name);
    return calls.length === at ? act(call) : call();
  });
  return { files, calls };
}
