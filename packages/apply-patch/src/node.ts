export { createNodePatchFiles, nodePatchFiles } from "./node/create-node-patch-files.ts";
