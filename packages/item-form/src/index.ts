export { foldLeading } from "./fold-leading.ts";
export { createItemWriter, isInOrder } from "./item-writer.ts";
export { lowerTools } from "./lower-tools.ts";
export { wholeForm } from "./whole-form.ts";

export type { ItemWriter, UnsentItem } from "./item-writer.ts";
