import type { ContentPart, McpCallResult, McpContent, McpFailure, McpResourceContents } from "@unroll/protocol";
import { cleanOutput } from "../output/clean-output.ts";

/** The images that models accept. */
const imageTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Advice for the model. */
const advice: Record<McpFailure["code"], string> = {
  unknown_server: "mcp_search finds the tools that there are.",
  unknown_tool: "mcp_search finds the tools that there are.",
  not_started: "Go on without it, or tell the user what has to be mended.",
  login_needed: "Tell the user, and go on without it.",
  timed_out: "It may have had its effect: look before you repeat it, or ask for less at once.",
  cancelled: "It may have had its effect.",
  server_died: "It may have had its effect in part: look before you repeat it. The next call starts the server again.",
  unreachable: "Try once more; if that fails too, go on without it.",
  too_large: "Ask for less: a filter, a page, a part.",
  invalid_answer: "This is a fault of the server. Do not repeat the same call; go on another way.",
  refused: "Correct the call, or go on another way.",
};

type Part = Extract<ContentPart, { readonly type: "input_text" | "input_image" }>;
type InputTextPart = Extract<Part, { readonly type: "input_text" }>;

/** Converts a tool's result for the model: text, and parts if there are images. */
export function toMcpOutput({ content, structuredContent, isError }: McpCallResult): string | readonly ContentPart[] {
  const parts = content.flatMap(toParts);
  const structured = structuredContent === null ? [] : [toText(JSON.stringify(structuredContent))];
  const isRepeated = parts.some((part) => part.type === "input_text" && isJsonOf(part.text, structuredContent));
  const heading = isError ? [toText("The tool reported an error:")] : [];
  return joinParts([...heading, ...parts, ...(isRepeated ? [] : structured)]);
}

/** The parts of a resource. */
export function toResourceOutput(contents: readonly McpResourceContents[]): string | readonly ContentPart[] {
  return joinParts(contents.flatMap(toResourceParts));
}

export function toFailureOutput({ code, message }: McpFailure): string {
  return `${cleanOutput(message)}\n${advice[code]}`;
}

function toParts(content: McpContent): readonly Part[] {
  switch (content.type) {
    case "text":
      return [toText(content.text)];
    case "image":
    case "audio":
      return [toMedia(content)];
    case "resource":
      return toResourceParts(content.resource);
    case "resource_link": {
      const { uri, name, description = "" } = content;
      return [toText(`[resource ${uri}: ${name}${description && `, ${description}`}; read_mcp_resource reads it]`)];
    }
    case "unknown":
      return [toText(JSON.stringify(content.value))];
  }
}

function toResourceParts({ uri, mimeType = "", text, blob }: McpResourceContents): readonly Part[] {
  const heading = toText(`[resource ${uri}${mimeType && `, ${mimeType}`}]`);
  if (text !== undefined) return [heading, toText(text)];
  return blob === undefined ? [heading] : [heading, toMedia({ data: blob, mimeType })];
}

function toMedia({ data, mimeType }: { readonly data: string; readonly mimeType: string }): Part {
  const bytes = Math.floor((data.length * 3) / 4);
  if (!imageTypes.has(mimeType)) {
    return toText(`[about ${bytes} bytes of ${mimeType || "an unknown type"} that cannot be shown to you]`);
  }
  const base64 = data.replaceAll(/\s/g, "");
  const image = inspectImage(base64);
  return "fault" in image
    ? toText(`[an image of about ${bytes} bytes that cannot be shown to you: ${image.fault}]`)
    : { type: "input_image", image_url: `data:${image.mediaType};base64,${base64}` };
}

/** Servers repeat structured content as text, for clients that do not know it. */
function isJsonOf(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

function joinParts(parts: readonly Part[]): string | readonly ContentPart[] {
  if (parts.some((part) => part.type === "input_image")) return parts;
  const texts = parts.flatMap((part) => (part.type === "input_text" ? [part.text] : []));
  return texts.length > 0 ? texts.join("\n") : "The tool gave back nothing.";
}

/** Servers pass on what terminals, files and web pages hold. */
function toText(text: string): InputTextPart {
  return { type: "input_text", text: cleanOutput(text) };
}

/** An image that models take, or why they cannot be shown it: `it …`. */
type InspectedImage = { readonly mediaType: string } | { readonly fault: string };

/** In bytes: some providers refuse a request with a larger one. */
const maxImageBytes = 5 * 1_024 * 1_024;
/** The first 12 bytes: as many as the longest signature looks at. */
const headLength = 16;

/** Looks for a forbidden character: a pattern of the whole text could overflow the stack for some megabytes. */
function isBase64(data: string): boolean {
  const padding = data.endsWith("==") ? 2 : Number(data.endsWith("="));
  return data !== "" && data.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(data.slice(0, data.length - padding));
}

/** The first bytes of each type. */
const signatures = [
  { mediaType: "image/png", at: 0, bytes: "\x89PNG\r\n\x1a\n" },
  { mediaType: "image/jpeg", at: 0, bytes: "\xff\xd8\xff" },
  { mediaType: "image/gif", at: 0, bytes: "GIF8" },
  { mediaType: "image/webp", at: 8, bytes: "WEBP" },
] as const;

/**
 * Checks an image of a server, because a broken one would make this request and all later ones of
 * the thread fail. The first bytes decide its type; pixels are not checked. `data` is base64
 * without line breaks.
 */
function inspectImage(data: string): InspectedImage {
  if (!isBase64(data)) return { fault: "it is no valid base64" };
  const bytes = (data.length / 4) * 3;
  if (bytes > maxImageBytes) return { fault: `it is larger than ${maxImageBytes} bytes; ask for a smaller one` };
  const head = atob(data.slice(0, headLength));
  const found = signatures.find(({ at, bytes: signature }) => head.startsWith(signature, at));
  return found ?? { fault: "its bytes are no png, jpeg, gif or webp image" };
}
