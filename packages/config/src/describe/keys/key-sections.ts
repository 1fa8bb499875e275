import { commandKeys } from "./command-keys.ts";
import { instructionKeys, skillKeys } from "./instruction-keys.ts";
import { modelKeys, modelTableKeys } from "./model-keys.ts";
import { otherKeys, terminalKeys } from "./program-keys.ts";
import { loginKeys, providerKeys } from "./provider-keys.ts";
import { budgetKeys, threadKeys } from "./thread-keys.ts";
import { serverKeys, toolKeys } from "./tool-keys.ts";
import type { KeySection } from "./key-section.ts";

/** In the order of the page. */
export const keySections: readonly KeySection[] = [
  modelKeys,
  modelTableKeys,
  providerKeys,
  loginKeys,
  commandKeys,
  toolKeys,
  serverKeys,
  instructionKeys,
  skillKeys,
  budgetKeys,
  threadKeys,
  terminalKeys,
  otherKeys,
];
