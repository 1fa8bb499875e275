export { createShadowTest } from "./node/create-shadow-test.ts";
export { openRuleBook } from "./node/open-rule-book.ts";
export { createWritableRoots } from "./node/writable-roots.ts";
