import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { redactSecrets } from "@unroll/text";
import { redactLikelySecrets } from "./redact-likely-secrets.ts";

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
