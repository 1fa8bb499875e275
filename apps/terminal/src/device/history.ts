import { stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { appendPlainFile, readPlainFile } from "@unroll/files";
import type { Clock } from "@unroll/flow";
import type { Draft } from "@unroll/screen";
import { redactSecrets } from "@unroll/text";
import { parseHistoryLine } from "./parse-history-line.ts";

/** Your inputs of all runs. */
export interface InputHistory {
  /** Oldest first. */
  readonly drafts: readonly Draft[];
  /** Saves it; if that fails, it lasts for this run alone. Pictures without an absolute path are not saved. Never throws. */
  add(draft: Draft): Promise<void>;
}

export interface HistoryOptions {
  readonly codexHome: string;
  /** Whether it lasts beyond this run. */
  readonly isKept: boolean;
  readonly threadId: () => string;
  readonly clock: Pick<Clock, "now">;
  /** Credentials, which are never written down. */
  readonly secrets: readonly string[];
}

/** As many as one searches; of a longer file the last. */
const maxTexts = 2000;
/** In bytes: from here on only the last `maxTexts` stay. */
const maxFileBytes = 4 * 1024 * 1024;

/** `$CODEX_HOME/history.jsonl`, one JSON object a line, for the user's eyes only (mode 0600): the file of the Codex CLI. */
export async function openHistory(options: HistoryOptions): Promise<InputHistory> {
  const file = join(options.codexHome, "history.jsonl");
  const kept = options.isKept ? await readLines(file) : [];
  const drafts = kept.slice(-maxTexts).flatMap((line) => parseHistoryLine(line) ?? []);
  if (options.isKept) await shorten(file, kept).catch(() => {});

  return {
    drafts,
    async add(draft) {
      const { text, images } = draft;
      const last = drafts.at(-1);
      if (last?.text === text && last.images.join("\n") === images.join("\n")) return;
      drafts.push(draft);
      if (!options.isKept) return;
      const safe = redactSecrets(text, options.secrets);
      const isSavable = images.length > 0 && images.every((source) => isAbsolute(source));
      const line = JSON.stringify({
        session_id: options.threadId(),
        ts: Math.floor(options.clock.now() / 1000),
        text: safe,
        ...(isSavable && { images }), // the Codex CLI passes over members that it does not know
      });
      await appendPlainFile(file, `${line}\n`).catch(() => {}); // a full disk takes no history
    },
  };
}

async function readLines(file: string): Promise<readonly string[]> {
  const text = await readPlainFile(file).catch(() => "");
  return text.split("\n").filter((line) => line !== "");
}

/** All or nothing, even if another process does the same. */
async function shorten(file: string, lines: readonly string[]): Promise<void> {
  const { size } = await stat(file);
  if (size <= maxFileBytes) return;
  const { default: writeFileAtomic } = await import("write-file-atomic");
  await writeFileAtomic(file, `${lines.slice(-maxTexts).join("\n")}\n`, { mode: 0o600 });
}
