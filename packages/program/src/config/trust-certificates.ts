import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ResolvedConfig } from "@unroll/config";
import { isFile, isInside, readTextIfAny, resolveIfAny } from "@unroll/files";

type Warning = ResolvedConfig["warnings"][number];
type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that name authorities, as OpenSSL, curl and the Codex CLI read them. */
const fileVariables = ["SSL_CERT_FILE", "CODEX_CA_CERTIFICATE"];
const folderVariable = "SSL_CERT_DIR";
/** Node.js reads this one by itself, wherever the file is. */
const nodesOwn = "NODE_EXTRA_CA_CERTS";
/** Where one of these is set, Node.js takes its files for the system's certificates. */
const systemVariables = ["SSL_CERT_FILE", folderVariable];
const certificate = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]+-----END (?:TRUSTED )?CERTIFICATE-----/g;
/** Everybody can write there. */
const sharedFolders = ["/tmp", "/var/tmp", "/dev/shm"];

/** The values that are in force: those of the last config that named or refused some. Authorities count for the whole process. */
let trusted: string | null = null;

/**
 * Lets every HTTP client of this process trust the authorities that the environment and the user's config name, besides Node's own and the
 * system's. A file that a command or the project could have written is left out with a warning, also if Node.js reads it by itself.
 * Costs nothing where none is named. Without a valid config (null), none counts.
 */
export async function trustCertificates(
  config: ResolvedConfig | null,
  env: Environment,
  shared: readonly string[] = sharedFolders,
): Promise<readonly Warning[]> {
  const read = readAll(config, env, shared);
  const found = read.flatMap(({ certificates }) => certificates);
  const refused = read.filter(({ isRefused }) => isRefused).map(({ name }) => name);
  const state = [...refused, ...found].join();
  const failure = trusted === state || state === "" ? null : await trust(found, refused);
  if (failure === null && state !== "") trusted = state;
  return [
    ...read.flatMap(({ name, obstacle }) => (obstacle === null ? [] : [toWarning(name, obstacle)])),
    ...(failure === null ? [] : [toWarning(read.map(({ name }) => name).join(", "), failure)]),
  ];
}

/** The variables, or the config key, whose certificates this process trusts. */
export function listTrustedNames(config: ResolvedConfig, env: Environment): readonly string[] {
  const read = readAll(config, env, sharedFolders).filter(({ obstacle }) => obstacle === null);
  return [...new Set(read.map(({ name }) => name))];
}

interface ReadCertificates {
  readonly name: string;
  readonly certificates: readonly string[];
  /** The reason why none of it counts, after the name of the file; null: it counts. */
  readonly obstacle: string | null;
  /** Somebody else may have written it. */
  readonly isRefused: boolean;
}

function readAll(
  config: ResolvedConfig | null,
  env: Environment,
  shared: readonly string[],
): readonly ReadCertificates[] {
  const ofFiles = [...fileVariables, nodesOwn].flatMap((name) => (env[name] ? [{ name, file: env[name] }] : []));
  const folders = (env[folderVariable] ?? "").split(":").filter(Boolean);
  if (config === null) {
    const names = [...ofFiles.map(({ name }) => name), ...(folders.length > 0 ? [folderVariable] : [])];
    return names.map((name) => ({ name, certificates: [], obstacle: noConfig, isRefused: true }));
  }
  const ofConfig = config.caCertificates === null ? [] : [{ name: "ca_certificates", file: config.caCertificates }];
  if (ofConfig.length + ofFiles.length + folders.length === 0) return [];
  const open = listOpenFolders(config, [...shared, ...(env["TMPDIR"] ? [env["TMPDIR"]] : [])]);
  const ofFolders = folders.flatMap((folder) =>
    listFolder(folder, open).map((file) => ({ name: folderVariable, file })),
  );
  return [...ofConfig, ...ofFiles, ...ofFolders].map(({ name, file }) => {
    if (isOpen(file, open)) return { name, certificates: [], obstacle: toRefusal(file), isRefused: true };
    if (name === nodesOwn) return { name, certificates: [], obstacle: null, isRefused: false };
    return { name, ...readCertificates(file), isRefused: false };
  });
}

const noConfig = "the config is not valid, so nobody knows which files commands can write";

/** The files to read there; the folder itself if it cannot be read or others write it. */
function listFolder(folder: string, open: readonly string[]): readonly string[] {
  if (isOpen(folder, open)) return [folder];
  try {
    const files = readdirSync(folder).map((name) => join(folder, name));
    // `HASH.0` is a link to one of the others, or the only name. Node.js reads files of any name.
    return files.filter((file) => (/\.(?:pem|crt|cer|0)$/.test(file) || isOpen(file, open)) && isFile(file));
  } catch {
    return [folder];
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

function isOpen(file: string, open: readonly string[]): boolean {
  return [file, resolveIfAny(file) ?? file].some((path) => open.some((folder) => isInside(path, folder)));
}

function toRefusal(file: string): string {
  return `${file} lies in a project, a writable folder or a temporary one. Move it elsewhere`;
}

function readCertificates(file: string): Pick<ReadCertificates, "certificates" | "obstacle"> {
  const certificates = readTextIfAny(file)?.match(certificate) ?? [];
  const obstacle = certificates.length === 0 ? `${file} has no certificate in PEM that can be read` : null;
  return { certificates, obstacle };
}

/** Returns the error message; null: they count from now on. */
async function trust(found: readonly string[], refused: readonly string[]): Promise<string | null> {
  const { getCACertificates, setDefaultCACertificates } = await import("node:tls");
  const isSystemRefused = systemVariables.some((name) => refused.includes(name));
  const isExtraRefused = refused.includes(nodesOwn);
  const own = isSystemRefused || isExtraRefused ? getCACertificates("bundled") : getCACertificates("default");
  const extra = isExtraRefused ? [] : getCACertificates("extra");
  const system = isSystemRefused ? [] : getCACertificates("system");
  try {
    setDefaultCACertificates([...new Set([...own, ...extra, ...system, ...found])]);
    return null;
  } catch (error) {
    return `not all of it is a certificate (${error instanceof Error ? error.message : "unknown error"})`;
  }
}

function toWarning(name: string, obstacle: string): Warning {
  return { code: "value_ignored", message: `The certificates of ${name} are not used: ${obstacle}.` };
}
