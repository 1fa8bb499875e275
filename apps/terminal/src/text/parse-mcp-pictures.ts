/** The pictures among what a tool of an MCP server sent, as `data:` URLs. */
export function parseMcpPictures(content: readonly unknown[]): readonly string[] {
  const parts = content as readonly ({
    readonly type?: unknown;
    readonly data?: unknown;
    readonly mimeType?: unknown;
  } | null)[];
  return parts.flatMap((part) =>
    part?.type === "image" && typeof part.data === "string"
      ? [`data:${String(part.mimeType)};base64,${part.data}`]
      : [],
  );
}
