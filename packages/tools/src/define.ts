export { defineTool } from "./tool/define-tool.ts";
