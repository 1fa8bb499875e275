export { nodeHost } from "./host/node-host.ts";

export type { NodeHostOptions } from "./host/node-host.ts";
