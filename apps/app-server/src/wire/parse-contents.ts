import type { ClientResult } from "@unroll/app-server-protocol";

type Contents = ClientResult<"mcpServer/resource/read">["contents"];

/** The resources in the parts of an item; parts of another kind are left out. */
export function parseContents(parts: readonly unknown[]): Contents {
  const isResource = (part: unknown): boolean => Reflect.get(Object(part), "type") === "resource";
  return parts.filter(isResource).map((part) => (part as { readonly resource: Contents[number] }).resource);
}
