import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { redactSecrets } from "@unroll/text";
import { redactLikelySecrets } from "./redact-likely-secrets.ts";

export interface CrashPlace {
  readonly codexHome: string;
  readonly now: number;
  /** Known credentials, which are never written down, and neither is what looks like one. */
  readonly secrets: readonly string[];
}

/** Writes down what nobody caught, before the process ends. Returns the file; null where it cannot be written. */
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
