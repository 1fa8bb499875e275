import { countBytes } from "@unroll/text";

/** Hashes, keys and encoded bytes: long runs of letters and digits without a word in them. */
const denseRun = /[A-Za-z0-9+/]{20,}/g;
const leastDigits = 0.08;

/**
 * How many bytes of ordinary text cost what this one costs. Tokenizers find no words in encoded bytes: hexadecimal digits
 * take about twice the tokens of text of their length, base64 about three times.
 */
export function weighText(text: string): number {
  let bytes = countBytes(text);
  for (const [run] of text.matchAll(denseRun)) {
    const digits = run.length - run.replaceAll(/\d/g, "").length;
    if (digits >= leastDigits * run.length) bytes += /^[0-9a-f]+$|^[0-9A-F]+$/.test(run) ? run.length : 2 * run.length;
  }
  return bytes;
}
