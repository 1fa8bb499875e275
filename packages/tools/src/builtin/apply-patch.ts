import { applyPatchCustomDescription, applyPatchFunctionDescription, applyPatchGrammar } from "@unroll/apply-patch";
import type { ModelFamily } from "@unroll/protocol";
import * as z from "zod";
import { type PatchPorts, runPatch } from "../patch/run-patch.ts";
import { defineCustomTool } from "../tool/define-custom-tool.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { CallableTool, ToolContext, ToolResult } from "../tool/tool.ts";

export interface ApplyPatchOptions extends PatchPorts {
  /** Absolute; read at each call. */
  readonly cwd: string;
}

/** Edits files by a patch. `custom`: the model writes the patch freely; `function`: into a JSON argument. */
export function createApplyPatchTool(options: ApplyPatchOptions, form: ModelFamily["applyPatchTool"]): CallableTool {
  const run = (text: string, context: ToolContext): Promise<ToolResult> =>
    runPatch(options, { text, cwd: options.cwd }, context);
  const common = { name: "apply_patch", concurrency: "exclusive" } as const;
  return form === "custom"
    ? defineCustomTool({ ...common, description: applyPatchCustomDescription, grammar: applyPatchGrammar, run })
    : defineTool({
        ...common,
        description: applyPatchFunctionDescription,
        input: z.strictObject({ input: z.string().min(1).describe("The whole patch.") }),
        run: ({ input }, context) => run(input, context),
      });
}
