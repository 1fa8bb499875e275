export { checkShape } from "./check-shape.ts";
export { countBytes } from "./count-bytes.ts";
export { describeJsonFault } from "./describe-json-fault.ts";
export { describeThrown } from "./describe-thrown.ts";
export { foldLine, foldText } from "./fold-text.ts";
export { countWholeBytes, findBoundaryAfter, findBoundaryBefore } from "./find-boundary.ts";
export { createSecretMask } from "./mask/create-secret-mask.ts";
export { removeEscapeSequences, toPlainText } from "./plain-text.ts";
export { groupDigits } from "./group-digits.ts";
export { quoteArgv, quoteWord } from "./quote-argv.ts";
export { redactSecrets, shortestSecret } from "./redact-secrets.ts";
export { shortenText } from "./shorten-text.ts";
export { sliceWhole } from "./slice-whole.ts";
export { escapeHidden, showHidden, toShownText } from "./show-hidden.ts";
export { describeSystemError, systemErrorCode } from "./system-error.ts";
export { takeEnd, takeStart } from "./take-bytes.ts";

export type { ShapeKind } from "./check-shape.ts";
export type { MaskStream, NamedSecret, SecretMask, StandIn } from "./mask/create-secret-mask.ts";
