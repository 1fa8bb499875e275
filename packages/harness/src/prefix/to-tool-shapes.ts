import type { HeadTool } from "@unroll/protocol";

/** The tools of a head by their names, each as JSON without its texts for the model: these may be worded anew. */
export function toToolShapes(tools: readonly HeadTool[]): ReadonlyMap<string, string> {
  return new Map(tools.filter(({ name }) => name !== ofPerson).map(({ name, spec }) => [name, toShape(spec)]));
}

/** It comes and goes with the person, who may be there in one process and not in the next: no reason to begin anew. */
const ofPerson = "request_user_input";

function toShape(spec: HeadTool["spec"]): string {
  return JSON.stringify(spec, (key, value: unknown) =>
    key === "description" && typeof value === "string" ? undefined : value,
  );
}
