// What other commands show as the terminal program does. Apart from the package's own front door, which has to open at once.
export { openLineTerminal } from "./plain/line-terminal.ts";
export { renderAge } from "./text/render-age.ts";
export { renderMcpServer } from "./text/render-mcp-server.ts";
export { renderPreview } from "./text/render-preview.ts";
export { renderItem } from "./text/render-sent-item.ts";
