import * as z from "zod";
import type { CommandLine, CommandRequest } from "../port/call-gate.ts";
import { resolvePath } from "./resolve-path.ts";

const defaultTimeoutMs = 120_000;
const maxTimeoutMs = 86_400_000;

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

/** The fields of a tool that runs a command to its end; `timeoutMs` is for calls without `timeout_ms`. */
export function commandFields(timeoutMs: number = defaultTimeoutMs): PlaceFields & TimeFields & PermissionFields {
  return {
    ...placeFields(),
    timeout_ms: z
      .int()
      .min(1)
      .max(maxTimeoutMs)
      .describe(`After this many milliseconds the command and all it started are stopped. Default ${timeoutMs}.`)
      .default(timeoutMs),
    ...permissionFields(),
  };
}

/** `cwd` is the thread's. */
export function toRequest(cwd: string, line: CommandLine, input: CommandInput): CommandRequest {
  return {
    ...line,
    cwd: resolvePath(cwd, input.workdir ?? "."),
    sandboxPermissions: input.sandbox_permissions,
    ...(input.justification !== undefined && { justification: input.justification }),
  };
}
