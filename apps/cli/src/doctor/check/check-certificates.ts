import type { ResolvedConfig } from "@unroll/config";
import { listTrustedNames } from "@unroll/program";
import { countNouns } from "@unroll/text";
import { type Finding, toFinding } from "../finding.ts";

/** Says whose certificates unroll trusts, and whether the system has any: the model's commands need those. */
export async function checkCertificates(
  config: ResolvedConfig | null,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly Finding[]> {
  const { getCACertificates } = await import("node:tls");
  const names = config === null ? [] : listTrustedNames(config, env);
  const read = (type: "default" | "system"): ReadonlySet<string> =>
    new Set(getCACertificates(type).map((pem) => pem.replaceAll(/\s/g, "")));
  const [trusted, ofSystem] = [read("default"), read("system")];
  const by = names.length === 0 ? "" : `, including those of ${names.join(", ")}`;
  const message = `unroll trusts ${countNouns(trusted.size, "authority", "authorities")}${by}.`;
  if (ofSystem.size === 0) {
    const words = `${message} The system has no certificates, so commands such as git and curl cannot use HTTPS.`;
    const remedy =
      "Install them: apt-get install ca-certificates, apk add ca-certificates or dnf install ca-certificates.";
    return [{ ...toFinding("certs", "warning", words), remedy }];
  }
  // Node.js takes the files of these for the system's, and a refused one does not help. The config's warnings name it.
  const isRefused = ["SSL_CERT_FILE", "SSL_CERT_DIR"].some((name) => env[name] && !names.includes(name));
  const missing = isRefused ? 0 : [...ofSystem].filter((each) => !trusted.has(each)).length;
  const others = `${countNouns(missing, "authority", "authorities")} of the system ${missing === 1 ? "is" : "are"} not among them`;
  const hint = missing === 0 ? "" : ` ${others}: to trust the system's too, start unroll with NODE_USE_SYSTEM_CA=1.`;
  return [toFinding("certs", "ok", message + hint)];
}
