import type { ResolvedConfig } from "@unroll/config";
import type { Host } from "@unroll/harness";
import { toPlainText } from "@unroll/text";
import { readCredential } from "@unroll/use-cases/login";

/** Describes the credential of requests, without any secret. */
export async function describeCredential(config: ResolvedConfig, host: Host): Promise<string> {
  const { credential, status } = await readCredential(config, host);
  if (credential.type === "bearer" && credential.envName !== null) return `API key from $${credential.envName}`;
  if (credential.type !== "missing") return credential.type === "bearer" ? "API key from the config" : "none needed";
  if (!credential.takesLogin) return "none";
  if (status === null) return "not logged in";
  const who = status.email === null ? "" : ` as ${toPlainText(status.email)}`;
  return `${status.type === "key" ? "API key" : `logged in${who}`}, stored in ${status.place}`;
}
