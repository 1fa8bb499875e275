import { resolve } from "node:path";
import type { PatchFiles } from "@unroll/apply-patch";

/** A patch's files on this machine, as `createNodePatchFiles` makes them, for who may write everywhere. */
export const nodePatchFiles: PatchFiles = {
  resolve,
  async openFolder(path) {
    const { createNodePatchFiles } = await import("./create-node-patch-files.ts");
    return createNodePatchFiles({ listRoots: () => [] }).openFolder(path);
  },
};
