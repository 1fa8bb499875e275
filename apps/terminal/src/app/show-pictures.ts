import { readImageSize } from "@unroll/compaction";
import type { ResolvedConfig } from "@unroll/config";
import type { ThreadEvent, ThreadItem, UserInput } from "@unroll/protocol";
import type { Picture } from "@unroll/screen";
import { parseMcpPictures } from "../text/parse-mcp-pictures.ts";
import type { Driver, LiveRegion } from "../driver.ts";
import type { App } from "./app.ts";

/** Shows a picture that the model viewed or a tool returned, if the terminal can. */
export function showPictures(app: App, event: ThreadEvent): Promise<void> | void {
  const { live } = app.driver;
  const mayHold = event.type === "item.completed" && live?.hasPictures === true;
  return mayHold ? showPicturesOf(live, event.item, app.threads.current.config) : undefined;
}

/** The same for pictures that you sent. */
export function showSentPictures({ live }: Pick<Driver, "live">, input: UserInput): void {
  if (live?.hasPictures !== true || typeof input === "string") return;
  for (const part of input) if (part.type === "image") showPicture(live, part.dataUrl);
}

async function showPicturesOf(live: LiveRegion, item: ThreadItem, config: ResolvedConfig): Promise<void> {
  for (const url of await readPictures(item, config)) showPicture(live, url);
}

/** As `data:` URLs. */
async function readPictures(item: ThreadItem, config: ResolvedConfig): Promise<readonly string[]> {
  if (item.type === "mcp_tool_call") return parseMcpPictures(item.result?.content ?? []);
  if (item.type !== "image_view" || item.status !== "completed") return [];
  const { readImageFile } = await import("@unroll/harness");
  const read = await readImageFile(item.path, config);
  return "error" in read ? [] : [read.dataUrl];
}

function showPicture(live: LiveRegion, url: string): void {
  const picture = toPicture(url);
  if (picture !== null) live.showPicture(picture);
}

/** Null: it is not a picture, or its size is unknown. */
function toPicture(url: string): Picture | null {
  const size = readImageSize(url);
  const [, mediaType, base64] = /^data:([^;,]+);base64,(.+)$/s.exec(url) ?? [];
  return size === null || mediaType === undefined || base64 === undefined ? null : { mediaType, base64, ...size };
}
