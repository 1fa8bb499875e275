export { defineAppServerCommand } from "./define-app-server-command.ts";
export { runAppServer } from "./run-app-server.ts";
export { writeAppServerSchema } from "./write-schema.ts";

export type { AppServerOptions } from "./app-server-options.ts";
