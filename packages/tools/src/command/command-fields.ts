import * as z from "zod";
import type { CommandLine, CommandRequest } from "../port/call-gate.ts";
import { resolvePath } from "./resolve-path.ts";
import { toByteBudget } from "../output/cap-text.ts";

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

/** The place and the permissions of a command, in every tool for commands. */
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

/** If profiles are not read, asking for one is a wrong argument. */
export function loginField(allowsLogin: boolean): z.ZodDefault<z.ZodType<boolean>> {
  if (!allowsLogin) return z.literal(false).describe("The user's profile is not read here.").default(false);
  return z.boolean().describe("Whether the shell first reads the user's profile. Default true.").default(true);
}

/** Text that an operating system takes as an argument of a program: it ends at a NUL, so it can hold none. */
export const scriptText: z.ZodString = z
  .string()
  .min(1)
  .refine((text) => !text.includes("\0"), "holds a NUL character, which no program can be given");

/** How long a call waits for a command, and how much of its output it gives back. */
type WaitFields = {
  readonly yield_time_ms: z.ZodOptional<z.ZodNumber>;
  readonly max_output_tokens: z.ZodOptional<z.ZodNumber>;
};

export type WaitInput = z.output<z.ZodObject<WaitFields>>;

const maxYieldMs = 300_000;

/** `defaultTime` says it in words. More than the bounds allow is taken as the bound. */
export function waitFields(defaultTime: string): WaitFields {
  return {
    yield_time_ms: z
      .number()
      .min(0)
      .describe(`How long to wait for the command, in ms. Default ${defaultTime}, at most ${maxYieldMs}.`)
      .optional(),
    max_output_tokens: z
      .number()
      .min(1)
      .describe("How much of the output to give back. Default: as much as is allowed.")
      .optional(),
  };
}

export function toYieldMs({ yield_time_ms: ms }: WaitInput, defaultMs: number): number {
  return Math.min(ms ?? defaultMs, maxYieldMs);
}

export function toMaxBytes({ max_output_tokens: tokens }: WaitInput, allowedBytes: number): number {
  return tokens === undefined ? allowedBytes : Math.min(toByteBudget(Math.floor(tokens)), allowedBytes);
}
