// What other commands show as the terminal program does. Apart from the package's own front door, which has to open at once.
export { foldLine } from "../plain/fold-text.ts";
export { openTerminal } from "../plain/terminal.ts";
export { priceOf } from "./price-of.ts";
export { renderAge } from "./render-age.ts";
export { renderMcpServer } from "./render-mcp-server.ts";
export { renderPreview } from "./render-preview.ts";
export { renderItem } from "./render-sent-item.ts";
