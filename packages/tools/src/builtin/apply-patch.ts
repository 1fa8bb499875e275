import { checkShape } from "@unroll/text";
import { applyPatchCustomDescription, applyPatchFunctionDescription, applyPatchGrammar } from "@unroll/apply-patch";
import type { CustomToolSpec, ModelFamily } from "@unroll/protocol";
import * as z from "zod";
import { type PatchPorts, planPatchCall } from "../patch/plan-patch-call.ts";
import { definePlannedTool } from "../tool/define-planned-tool.ts";
import type { CallableTool, PlanContext, PlannedCall, RejectedCall } from "../tool/tool.ts";

/** Context of the tool `apply_patch`. */
export interface ApplyPatchOptions extends PatchPorts {
  /** Absolute; read at each call. */
  readonly cwd: string;
}

const name = "apply_patch";
const customSpec: CustomToolSpec = {
  type: "custom",
  name,
  description: applyPatchCustomDescription,
  format: { type: "grammar", syntax: "lark", definition: applyPatchGrammar },
};

const input = z.strictObject({ input: z.string().min(1).describe("The whole patch.") });

/** Edits files by a patch. `custom`: the model writes the patch freely; `function`: into a JSON argument. */
export function createApplyPatchTool(options: ApplyPatchOptions, form: ModelFamily["applyPatchTool"]): CallableTool {
  checkShape("createApplyPatchTool", options, { cwd: "text", "patchFiles.openFolder": "a function" });
  const plan = (text: string, context: PlanContext): Promise<PlannedCall | RejectedCall> =>
    planPatchCall(options, { text, cwd: options.cwd }, context);
  if (form === "function") {
    return definePlannedTool({
      name,
      description: applyPatchFunctionDescription,
      input,
      plan: ({ input }, context) => plan(input, context),
    });
  }
  return {
    type: "callable",
    name,
    spec: customSpec,
    prepare: (text) => ({ type: "call.ready", concurrency: "exclusive", plan: (context) => plan(text, context) }),
  };
}
