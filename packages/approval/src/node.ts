export { createRuleFolderTest } from "./node/create-rule-folder-test.ts";
export { createShadowTest } from "./node/create-shadow-test.ts";
export { openRuleStore } from "./node/open-rule-store.ts";
export { createWritableRoots } from "./node/writable-roots.ts";
