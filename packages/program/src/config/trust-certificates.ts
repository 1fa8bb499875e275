import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ResolvedConfig } from "@unroll/config";
import { isFile, isInside, readTextIfAny, resolveIfAny } from "@unroll/files";

type Warning = ResolvedConfig["warnings"][number];
type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that name authorities, as OpenSSL, curl and the Codex CLI read them. */
const fileVariables = ["SSL_CERT_FILE", "CODEX_CA_CERTIFICATE"];
/** Node.js itself reads this one. */
const nodesOwn = "NODE_EXTRA_CA_CERTS";
const folderVariable = "SSL_CERT_DIR";
const certificate = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]+-----END (?:TRUSTED )?CERTIFICATE-----/g;
/** Everybody can write there. */
const sharedFolders = ["/tmp", "/var/tmp", "/dev/shm"];

/** The values that are in force: those of the first config. Authorities count for the whole process. */
let trusted: string | null = null;

/**
 * Lets every HTTP client of this process trust the authorities that the environment and the user's config name, besides Node's own and the
 * system's. A file that a command or the project could have written is left out, with a warning. Costs nothing where none
 * is named.
 */
export async function trustCertificates(
  config: ResolvedConfig,
  env: Environment,
  shared: readonly string[] = sharedFolders,
): Promise<readonly Warning[]> {
  const read = readAll(config, env, shared);
  const found = read.flatMap(({ certificates }) => certificates);
  const failure = found.length === 0 || trusted === found.join() ? null : await trust(found);
  return [
    ...read.flatMap(({ name, obstacle }) => (obstacle === null ? [] : [toWarning(name, obstacle)])),
    ...(failure === null ? [] : [toWarning(read.map(({ name }) => name).join(", "), failure)]),
  ];
}

/** The variables, or the config key, whose certificates this process trusts. */
export function listTrustedNames(config: ResolvedConfig, env: Environment): readonly string[] {
  const read = readAll(config, env, sharedFolders).filter(({ obstacle }) => obstacle === null);
  return [...new Set(read.map(({ name }) => name)), ...(env[nodesOwn] ? [nodesOwn] : [])];
}

function readAll(
  config: ResolvedConfig,
  env: Environment,
  shared: readonly string[],
): readonly (ReadCertificates & { readonly name: string })[] {
  const named = [
    ...(config.caCertificates === null ? [] : [{ name: "ca_certificates", file: config.caCertificates }]),
    ...fileVariables.flatMap((name) => (env[name] ? [{ name, file: env[name] }] : [])),
    ...(env[folderVariable] ?? "").split(":").filter(Boolean).flatMap(listFolder),
  ];
  if (named.length === 0) return [];
  const open = listOpenFolders(config, [...shared, ...(env["TMPDIR"] ? [env["TMPDIR"]] : [])]);
  return named.map(({ name, file }) => ({ name, ...readCertificates(file, open) }));
}

function listFolder(folder: string): readonly { readonly name: string; readonly file: string }[] {
  try {
    const files = readdirSync(folder).map((name) => join(folder, name));
    // `HASH.0` is a link to one of the others, or the only name.
    return files
      .filter((file) => /\.(?:pem|crt|cer|0)$/.test(file) && isFile(file))
      .map((file) => ({ name: folderVariable, file }));
  } catch {
    return [{ name: folderVariable, file: folder }];
  }
}

/** Folders that the project, commands or other users write. */
function listOpenFolders(
  { cwd, projectRoot, sandboxSettings: { mode, writableRoots } }: ResolvedConfig,
  temporary: readonly string[],
): readonly string[] {
  const roots = mode === "read-only" ? [] : writableRoots;
  const folders = [cwd, projectRoot ?? cwd, ...roots, ...temporary];
  return folders.filter((folder) => folder !== "/").flatMap((folder) => [folder, resolveIfAny(folder) ?? folder]);
}

interface ReadCertificates {
  readonly certificates: readonly string[];
  /** The reason why none of it counts, after the name of the file; null: it counts. */
  readonly obstacle: string | null;
}

function readCertificates(file: string, open: readonly string[]): ReadCertificates {
  const real = resolveIfAny(file);
  const isOpen = [file, real ?? file].some((path) => open.some((folder) => isInside(path, folder)));
  if (isOpen)
    return {
      certificates: [],
      obstacle: `${file} lies in a project, a writable folder or a temporary one. Move it elsewhere`,
    };
  const certificates = real === null ? [] : (readTextIfAny(real)?.match(certificate) ?? []);
  return {
    certificates,
    obstacle: certificates.length === 0 ? `${file} has no certificate in PEM that can be read` : null,
  };
}

/** Returns the error message; null: they count from now on. */
async function trust(found: readonly string[]): Promise<string | null> {
  const { getCACertificates, setDefaultCACertificates } = await import("node:tls");
  try {
    setDefaultCACertificates([...new Set([...getCACertificates("default"), ...getCACertificates("system"), ...found])]);
    trusted = found.join();
    return null;
  } catch (error) {
    return `not all of it is a certificate (${error instanceof Error ? error.message : "unknown error"})`;
  }
}

function toWarning(name: string, obstacle: string): Warning {
  return { code: "value_ignored", message: `The certificates of ${name} are not used: ${obstacle}.` };
}
