/** An image that models take, or why they cannot be shown it: `it …`. */
export type InspectedImage = { readonly mediaType: string } | { readonly fault: string };

/** In bytes: some providers refuse a request with a larger one. */
const maxImageBytes = 5 * 1_024 * 1_024;
/** The first 12 bytes: as many as the longest signature looks at. */
const headLength = 16;

/** What stands where in the bytes of each type. */
/** Looks for what must not be there: a pattern of the whole can take more stack than there is for some megabytes. */
function isBase64(data: string): boolean {
  const padding = data.endsWith("==") ? 2 : Number(data.endsWith("="));
  return data !== "" && data.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(data.slice(0, data.length - padding));
}

const signatures = [
  { mediaType: "image/png", at: 0, bytes: "\x89PNG\r\n\x1a\n" },
  { mediaType: "image/jpeg", at: 0, bytes: "\xff\xd8\xff" },
  { mediaType: "image/gif", at: 0, bytes: "GIF8" },
  { mediaType: "image/webp", at: 8, bytes: "WEBP" },
] as const;

/**
 * Looks at what a server calls an image, as a request with a broken one is refused, and every later one of the thread
 * with it. The type is told by the first bytes; pixels are not looked at. `data` is base64 without line breaks.
 */
export function inspectImage(data: string): InspectedImage {
  if (!isBase64(data)) return { fault: "it is no valid base64" };
  const bytes = (data.length / 4) * 3;
  if (bytes > maxImageBytes) return { fault: `it is larger than ${maxImageBytes} bytes; ask for a smaller one` };
  const head = atob(data.slice(0, headLength));
  const found = signatures.find(({ at, bytes: signature }) => head.startsWith(signature, at));
  return found ?? { fault: "its bytes are no png, jpeg, gif or webp image" };
}
