import { readImageSize } from "@unroll/compaction";
import type { ThreadEvent, ThreadItem, UserInput } from "@unroll/protocol";
import type { Picture } from "@unroll/screen";
import { parseMcpPictures } from "../text/parse-mcp-pictures.ts";
import type { Talk } from "./talk.ts";

/** Shows what the model looked at, or a tool sent, below its line, where the terminal shows pictures. */
export function showPictures(talk: Pick<Talk, "desk">, event: ThreadEvent): Promise<void> | void {
  const mayHold = event.type === "item.completed" && talk.desk.look.painter.hasPictures;
  return mayHold ? showPicturesOf(talk, event.item) : undefined;
}

/** The same for what the person sent. */
export function showSentPictures(talk: Pick<Talk, "desk">, input: UserInput): void {
  if (!talk.desk.look.painter.hasPictures || typeof input === "string") return;
  for (const part of input) if (part.type === "image") showPicture(talk, part.dataUrl);
}

async function showPicturesOf(talk: Pick<Talk, "desk">, item: ThreadItem): Promise<void> {
  for (const url of await readPictures(item)) showPicture(talk, url);
}

/** As `data:` URLs. */
async function readPictures(item: ThreadItem): Promise<readonly string[]> {
  if (item.type === "mcp_tool_call") return parseMcpPictures(item.result?.content ?? []);
  if (item.type !== "image_view" || item.status !== "completed") return [];
  const { readImageFile } = await import("@unroll/harness");
  const read = await readImageFile(item.path);
  return "error" in read ? [] : [read.dataUrl];
}

function showPicture({ desk }: Pick<Talk, "desk">, url: string): void {
  const picture = toPicture(url);
  if (picture === null) return;
  desk.surface.transcript?.show(picture);
  desk.surface.loop.request();
}

/** Null: it is none, or nobody knows how large. */
function toPicture(url: string): Picture | null {
  const size = readImageSize(url);
  const [, mediaType, base64] = /^data:([^;,]+);base64,(.+)$/s.exec(url) ?? [];
  return size === null || mediaType === undefined || base64 === undefined ? null : { mediaType, base64, ...size };
}
