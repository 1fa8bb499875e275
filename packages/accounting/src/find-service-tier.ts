import type { RequestHead } from "@unroll/protocol";

/** The tier that a request asks for. Null: the ordinary one. */
export function findServiceTier({ fields }: RequestHead): string | null {
  const { service_tier: tier } = fields;
  return typeof tier !== "string" || tier === "auto" || tier === "default" ? null : tier;
}
