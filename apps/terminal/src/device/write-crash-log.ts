import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { redactSecrets, shortestSecret } from "@unroll/text";

export interface CrashPlace {
  readonly codexHome: string;
  readonly now: number;
  /** Known credentials. They are never written, and neither is text that looks like one. */
  readonly secrets: readonly string[];
}

/** Logs an uncaught error before the process ends. Returns the file; null: it cannot be written. */
export function writeCrashLog(error: unknown, { codexHome, now, secrets }: CrashPlace): string | null {
  const folder = join(codexHome, "log");
  const file = join(folder, `unroll-crash-${new Date(now).toISOString().replaceAll(":", "-")}.log`);
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${redactLikelySecrets(redactSecrets(text, secrets))}\n`, { mode: 0o600 });
    return file;
  } catch {
    return null;
  }
}

/**
 * Replaces text that looks like a credential with `[secret]`: keys with their service's prefix, tokens in three parts (JWT), the
 * text after `Bearer`, credentials before the host of an address, and values whose name says that they are secret. This is for
 * unknown credentials; `redactSecrets` masks the known ones.
 */
function redactLikelySecrets(text: string): string {
  return patterns.reduce((redacted, pattern) => redacted.replaceAll(pattern, "$<before>[secret]"), text);
}

const namedSecret = `(?<before>(?:key|token|secret|password|authorization|cookie)["']?\\s*[:=]\\s*["']?)`;
const patterns: readonly RegExp[] = [
  /(?<before>)\b(?:sk|rk|pk|ghp|gho|ghs|ghu|github_pat|glpat|xox[a-z]|npm|hf|gsk|AIza)[-_]?[\w-]*[\w-]{16,}/g,
  /(?<before>)\b(?:AKIA|ASIA)[A-Z\d]{16}\b/g,
  /(?<before>)\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  new RegExp(`(?<before>\\b(?:Bearer|Basic)\\s+)[\\w.~+/=-]{${shortestSecret},}`, "gi"),
  /(?<before>:\/\/)[^\s/@]+(?=@)/g,
  new RegExp(`${namedSecret}(?!\\[secret\\])[^\\s"',;&)}]{${shortestSecret},}`, "gi"),
];
