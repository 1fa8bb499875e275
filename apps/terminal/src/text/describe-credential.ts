import type { ResolvedConfig } from "@unroll/config";
import type { Host } from "@unroll/harness";
import { toPlainText } from "@unroll/text";
import { readCredential } from "@unroll/use-cases/login";

/** By what requests are let in, as a person reads it: nothing of it that could be used. */
export async function describeCredential(config: ResolvedConfig, host: Host): Promise<string> {
  const { credential, status } = await readCredential(config, host);
  if (credential.type === "bearer" && credential.envName !== null) return `a key, of $${credential.envName}`;
  if (credential.type !== "missing") return credential.type === "bearer" ? "a key of the config" : "none is needed";
  if (!credential.takesLogin) return "none";
  if (status === null) return "nobody is logged in";
  const who = status.email === null ? "" : ` as ${toPlainText(status.email)}`;
  return `${status.type === "key" ? "a key" : `logged in${who}`}, kept in ${status.place}`;
}
