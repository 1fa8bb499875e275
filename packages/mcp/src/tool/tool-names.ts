import { createHash } from "node:crypto";

/** The longest name that the Responses API accepts. */
const maxLength = 64;
const hashLength = 8;

/** A tool's name for the model. `reason`: why it is not simply server and tool; null: it is. */
export interface ToolName {
  readonly tool: string;
  readonly name: string;
  readonly reason: string | null;
}

/**
 * The server's part of a tool name. No two servers share one, and the name shows where it ends.
 * Depends only on the id.
 */
export function toServerKey(id: string): string {
  const key = sanitise(id);
  const isPlain = key === id && id !== "" && !id.includes("__") && !id.endsWith("_");
  return isPlain ? id : `${key.replaceAll(/_+/g, "_")}_${hash(id)}`;
}

/**
 * Names for all tools of a server: `mcp__server__tool` in letters, digits, `_` and `-`, at most 64
 * characters. If two become equal, the one that needed no change keeps the name and the others get
 * a hash. Depends only on the names, not on their order.
 */
export function toToolNames(server: string, tools: readonly string[]): readonly ToolName[] {
  const key = toServerKey(server);
  const plain = new Map(tools.map((tool) => [tool, `mcp__${key}__${sanitise(tool)}`]));
  const users = new Map<string, number>();
  for (const name of plain.values()) users.set(name, (users.get(name) ?? 0) + 1);

  return [...plain].map(([tool, name]) => {
    const isShared = (users.get(name) ?? 0) > 1 && sanitise(tool) !== tool;
    if (!isShared && name.length <= maxLength) return { tool, name, reason: null };
    const reason = isShared
      ? "another tool of the server has the same name in the characters that the model API takes"
      : `its name is longer than the ${maxLength} characters that the model API takes`;
    return { tool, name: `${name.slice(0, maxLength - hashLength - 1)}_${hash(`${server}\0${tool}`)}`, reason };
  });
}

function sanitise(text: string): string {
  return text.replaceAll(/[^\w-]/g, "_");
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, hashLength);
}
