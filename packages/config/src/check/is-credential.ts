import { shortestSecret } from "@unroll/text";

/** As commands are not given them by default. */
const variableName = /KEY|SECRET|TOKEN|PASSWORD/i;
/** Plain words and figures under this length stand in ordinary text, too. */
const shortestWord = 24;

/** Whether a variable of nobody's in particular looks like a credential. */
export function isCredentialVariable(name: string, value: string): boolean {
  return variableName.test(name) && isCredentialValue(value);
}

/** A short value, a path, an address, plain words and figures are none, whatever they are called. */
function isCredentialValue(value: string): boolean {
  if (value.length < shortestSecret || /^(?:~|\.{1,2})?\/|^[a-z][a-z\d+.-]*:\/\//i.test(value)) return false;
  return value.length >= shortestWord || !/^(?:[a-z]+(?:[-_. ][a-z]+)*|[\d.,:-]+)$/i.test(value);
}

/** Whether what a table calls so may be a credential. */
export function isCredentialName(name: string): boolean {
  return /auth|cookie|key|password|secret|token/i.test(name);
}

/** Whether the text that a table has under this name looks like a credential. */
export function isCredential(name: string, text: string): boolean {
  return isCredentialName(name) && isCredentialValue(withoutScheme(text));
}

/** `Bearer x` is the credential `x`, which may also stand alone. */
export function withoutScheme(value: string): string {
  return value.trim().replace(/^(?:Bearer|Basic|Token) +/i, "");
}
