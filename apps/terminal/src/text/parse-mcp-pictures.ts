/** The pictures among what a tool of an MCP server sent, as `data:` URLs. */
export function parseMcpPictures(content: readonly unknown[]): readonly string[] {
  return (
    content as readonly ({ readonly type?: unknown; readonly data?: unknown; readonly mimeType?: unknown } | null)[]
  )
    .filter((part) => part?.type === "image" && typeof part.data === "string")
    .map(({ data, mimeType }) => `data:${String(mimeType)};base64,${String(data)}`);
}
