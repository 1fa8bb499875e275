export { exportThread } from "./export/export-thread.ts";
export { writeExport } from "./export/write-file.ts";
