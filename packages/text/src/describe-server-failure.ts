import { describeThrown } from "./describe-thrown.ts";

/** Why a server of the user's own cannot be used. A certificate that is not trusted is an error that the user can fix. */
export function describeServerFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  const said = describeThrown(error) || code || "it does not answer";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return `its certificate is for another name (${said})`;
  if (!/CERT|SIGNATURE/.test(code)) return said;
  return `its certificate is not trusted (${code}). Start unroll with SSL_CERT_FILE=/path/to/authority.pem, the file of the authority that signed it.`;
}
