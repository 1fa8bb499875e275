import type { RequestedSettings } from "@unroll/thread-host";
import { type ApprovalPolicy, approvalPolicies, type SandboxMode, sandboxModes } from "@unroll/protocol";
import * as z from "zod";

// The arguments that both families of tools share.

export const prompt: z.ZodString = z.string().min(1, "what to do is expected");
export const threadId: z.ZodString = z.string().min(1, "the id of a thread is expected");
export const answer: { readonly threadId: z.ZodString; readonly content: z.ZodString } = {
  threadId: z.string(),
  content: z.string(),
};

export const approvalPolicy: z.ZodOptional<z.ZodEnum<{ [Policy in ApprovalPolicy]: Policy }>> = z
  .enum(approvalPolicies)
  .optional()
  .describe("When a person is asked, by elicitation.");

interface SharedSettings {
  readonly cwd: z.ZodOptional<z.ZodString>;
  readonly model: z.ZodOptional<z.ZodString>;
  readonly profile: z.ZodOptional<z.ZodString>;
  readonly sandbox: z.ZodOptional<z.ZodEnum<{ [Mode in SandboxMode]: Mode }>>;
  readonly config: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
}

export const sharedSettings: SharedSettings = {
  cwd: z
    .string()
    .optional()
    .describe("The folder to work in; a relative one is in the folder that the server was started in."),
  model: z.string().optional().describe("The model; without it, the one of the config."),
  profile: z.string().optional().describe("A profile of config.toml."),
  sandbox: z.enum(sandboxModes).optional().describe("How far commands may reach."),
  config: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Keys of the config with their values, in place of those of config.toml."),
};

type Given = { readonly [Key in keyof SharedSettings]?: z.infer<SharedSettings[Key]> };

export function pickShared({ cwd, model, profile, sandbox, config }: Given): RequestedSettings {
  return {
    cwd: cwd ?? null,
    model: model ?? null,
    profile: profile ?? null,
    sandbox: sandbox ?? null,
    config: config ?? null,
  };
}
