export { defineAppServerCommand, runAppServer } from "./app-server-command.ts";
export { writeAppServerSchema } from "./write-schema.ts";

export type { AppServerOptions } from "./serve.ts";
