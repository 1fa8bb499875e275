import { open } from "node:fs/promises";
import type { ThreadSummary } from "@unroll/protocol";
import { shortenText } from "@unroll/text";
import type { RolloutFile } from "../file/rollout-folder.ts";

/** How much of a file is read for it: what was said first stands behind instructions, tools and project docs. In bytes. */
const summaryBytes = 256 * 1024;
/** Where the folder and the time of the beginning stand. In bytes. */
const openingBytes = 4 * 1024;
const titleCharacters = 80;

/** Null: the file is no thread. */
export async function readSummary({ path, threadId }: RolloutFile): Promise<ThreadSummary | null> {
  const text = await readStart(path, summaryBytes);
  const opening = text.slice(0, openingBytes);
  if (!opening.includes('"type":"session_meta"')) return null;
  const said = readString(text, '"type":"user_message","message":');
  return {
    threadId,
    createdAt: Date.parse(readString(opening, '"timestamp":') ?? "") || 0,
    cwd: readString(opening, '"cwd":'),
    title: said === null ? null : shortenText(said.trim().replaceAll(/\s+/g, " "), titleCharacters),
  };
}

/** The folder that a thread was begun in; reads less than `readSummary`. */
export async function readCwd(path: string): Promise<string | null> {
  return readString(await readStart(path, openingBytes), '"cwd":');
}

async function readStart(path: string, length: number): Promise<string> {
  await using file = await open(path, "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
  return buffer.toString("utf8", 0, bytesRead);
}

/** The JSON string behind a key, where it stands there whole. */
function readString(text: string, key: string): string | null {
  const at = text.indexOf(key);
  const [found] = at === -1 ? [] : (/^"(?:[^"\\]|\\.)*"/.exec(text.slice(at + key.length)) ?? []);
  const value: unknown = found === undefined ? null : JSON.parse(found);
  return typeof value === "string" ? value : null;
}
