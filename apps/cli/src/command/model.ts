import { takeText } from "@unroll/program";
import { type Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { ModelFlags } from "./serve-model.ts";

/** `unroll model`: a Responses API server on loopback, for tests, demos and the development of clients. */
export function addModelCommand(program: Command, { io, exit }: CommandContext): void {
  program
    .command("model")
    .description("serve a scripted Responses API on loopback until ^C, for tests (docs/scripted-model.md)")
    .option("--script <file>", "the script with the answers (default: the demo model)", takeText)
    .option("--port <number>", "listen on this port (default: a free one)", parsePort)
    .option("--log <file>", "on exit, write all request bodies to this file, one per line", takeText)
    .action(async (flags: ModelFlags) => exit(await (await import("./serve-model.ts")).serveModel(flags, io)));
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError("It must be a port number from 0 to 65535.");
  return port;
}
