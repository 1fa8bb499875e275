import { createHash } from "node:crypto";
import type { McpTool } from "@unroll/protocol";

const length = 12;
const texts: ReadonlySet<string> = new Set(["title", "description"]);

/**
 * A fingerprint of a tool's arguments. It ignores texts for the model, because servers write the
 * time of day into them, and the order of members.
 */
export function markSchema({ parameters }: Pick<McpTool, "parameters">): string {
  const json = JSON.stringify(parameters, (key, value: unknown) =>
    texts.has(key) && typeof value === "string" ? undefined : sortMembers(value),
  );
  return createHash("sha256").update(json).digest("hex").slice(0, length);
}

function sortMembers(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
