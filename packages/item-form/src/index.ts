export { foldLeading } from "./lower-head.ts";
export { createItemWriter, isInOrder } from "./item-writer.ts";
export { lowerTools } from "./lower-head.ts";
export { wholeForm } from "./whole-form.ts";

export type { ItemWriter, UnsentItem } from "./item-writer.ts";
