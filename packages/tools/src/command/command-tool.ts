import { findPatchInArguments, findPatchInShell, type ShellPatch } from "@unroll/apply-patch";
import * as z from "zod";
import { type PatchPorts, runPatch } from "../patch/run-patch.ts";
import { resolvePath } from "../path/resolve-path.ts";
import type { CommandLine, CommandRequest } from "../port/command-gate.ts";
import type { Concurrency, ToolContext, ToolResult } from "../tool/tool.ts";
import { type CommandPorts, runCommand } from "./run-command.ts";

export interface CommandToolOptions extends CommandPorts, PatchPorts {
  /** Absolute; read at each call. */
  readonly cwd: string;
  /** For calls without `timeout_ms`; in ms, default 120,000. */
  readonly defaultTimeoutMs?: number;
  /** Whether a command only looks: such calls run side by side. By default none does. */
  readonly isReadOnlyCommand?: (command: CommandLine) => boolean;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 86_400_000;

type PlaceFields = { readonly workdir: z.ZodOptional<z.ZodString> };
type TimeFields = { readonly timeout_ms: z.ZodDefault<z.ZodInt> };
type PermissionFields = {
  readonly sandbox_permissions: z.ZodDefault<
    z.ZodEnum<{ use_default: "use_default"; require_escalated: "require_escalated" }>
  >;
  readonly justification: z.ZodOptional<z.ZodString>;
};

/** What every tool for commands is told of where and how one is to run. */
export type CommandInput = z.output<z.ZodObject<PlaceFields & PermissionFields>>;

export function placeFields(): PlaceFields {
  return {
    workdir: z.string().describe("Folder to run in; relative to the working folder, which is the default.").optional(),
  };
}

export function permissionFields(): PermissionFields {
  return {
    sandbox_permissions: z
      .enum(["use_default", "require_escalated"])
      .describe(
        "require_escalated asks for approval to run outside the sandbox, for a command that cannot work inside.",
      )
      .default("use_default"),
    justification: z
      .string()
      .describe("With require_escalated: one sentence that tells the user why the command needs it.")
      .optional(),
  };
}

/** The fields of a tool that runs a command to its end. */
export function commandFields(options: CommandToolOptions): PlaceFields & TimeFields & PermissionFields {
  const timeoutMs = options.defaultTimeoutMs ?? DEFAULT_TIMEOUT_MS;
  return {
    ...placeFields(),
    timeout_ms: z
      .int()
      .min(1)
      .max(MAX_TIMEOUT_MS)
      .describe(`After this many milliseconds the command and all it started are stopped. Default ${timeoutMs}.`)
      .default(timeoutMs),
    ...permissionFields(),
  };
}

export function concurrencyOf(options: CommandToolOptions, line: CommandLine): Concurrency {
  return options.isReadOnlyCommand?.(line) ? "shared" : "exclusive";
}

/** Runs a command to its end. */
export function runCommandTool(
  options: CommandToolOptions,
  { line, input }: { readonly line: CommandLine; readonly input: CommandInput & { readonly timeout_ms: number } },
  context: ToolContext,
): Promise<ToolResult> {
  const request = toRequest(options, line, input);
  return (
    runAsPatch(options, request, context) ?? runCommand(options, { request, timeoutMs: input.timeout_ms }, context)
  );
}

export function toRequest(options: CommandToolOptions, line: CommandLine, input: CommandInput): CommandRequest {
  return {
    ...line,
    cwd: resolvePath(options.cwd, input.workdir ?? "."),
    sandboxPermissions: input.sandbox_permissions,
    ...(input.justification !== undefined && { justification: input.justification }),
  };
}

/** Applies the patch that a command is, as some models send patches that way; null for any other command. */
export function runAsPatch(
  options: CommandToolOptions,
  request: CommandRequest,
  context: ToolContext,
): Promise<ToolResult> | null {
  const found = findPatch(request);
  return found && runPatch(options, { text: found.patch, cwd: resolvePath(request.cwd, found.cwd ?? ".") }, context);
}

/** A folder that begins with `~` is the shell's to find. */
function findPatch({ argv, shellScript }: CommandLine): ShellPatch | null {
  const found = shellScript === undefined ? findPatchInArguments(argv) : findPatchInShell(shellScript);
  return found?.cwd?.startsWith("~") ? null : found;
}
