import { defineAcpCommand, runAcp } from "@unroll/acp";
import { defineAppServerCommand, runAppServer, writeAppServerSchema } from "@unroll/app-server";
import { defineExecCommand, defineReviewCommand, defineWorkerCommand, runExec, runQueueWorker } from "@unroll/exec";
import { defineMcpServerCommand, runMcpServer } from "@unroll/mcp-server";
import { openPage } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { version } from "../version.ts";

/** `unroll exec`: the app of that name. */
export function addExecCommand(program: Command, { io, exit }: CommandContext): void {
  defineExecCommand(program.command("exec").alias("e"), async (options) => exit(await runExec(options, io)));
}

/** `unroll review`: a short name for `exec review`. */
export function addReviewCommand(program: Command, { io, exit }: CommandContext): void {
  defineReviewCommand(program.command("review"), async (options) => exit(await runExec(options, io)));
}

/** `unroll worker`: the part of the app `exec` that takes its tasks from a queue. */
export function addWorkerCommand(program: Command, { io, exit }: CommandContext): void {
  defineWorkerCommand(program.command("worker"), async (flags) => exit(await runQueueWorker(flags, io)));
}

/** `unroll app-server`: the app of that name. */
export function addAppServerCommand(program: Command, { io, exit }: CommandContext): void {
  defineAppServerCommand(program.command("app-server"), {
    serve: async (options) => exit(await runAppServer({ ...options, version }, io)),
    writeSchema: async (kind, options) => exit(await writeAppServerSchema(kind, options, io)),
  });
}

/** `unroll mcp-server`: the app of that name. */
export function addMcpServerCommand(program: Command, { io, exit }: CommandContext): void {
  defineMcpServerCommand(program.command("mcp-server"), async (flags) =>
    exit(await runMcpServer({ ...flags, version }, io)),
  );
}

/** `unroll acp`: the app of that name. */
export function addAcpCommand(program: Command, { io, exit, launch }: CommandContext): void {
  defineAcpCommand(program.command("acp"), {
    serve: async (flags) => exit(await runAcp({ ...flags, version, openPage: (url) => openPage(url, io) }, io)),
    logIn: () => launch(async (run) => (await import("./run-login.ts")).logInHere({}, run)),
  });
}
