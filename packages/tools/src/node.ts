export { createNodeOutputFiles } from "./node/node-output-files.ts";
export { readNodeImage } from "./node/read-node-image.ts";

export type { NodeOutputFiles } from "./node/node-output-files.ts";
export type { ImageFile } from "./node/read-node-image.ts";
export type { FileGate } from "@unroll/files";
