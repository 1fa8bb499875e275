/** A member of an object or an element of an array, as the text it was written in. */
interface JsonSlice {
  /** Null in an array. */
  readonly key: string | null;
  readonly text: string;
}

/**
 * Cuts the text of a JSON object or array into its members or elements, byte for byte: numbers, escapes and spacing stay
 * as they are. `json` must be valid (`JSON.parse` took it). A value of another kind has no parts.
 */
export function sliceJson(json: string): readonly JsonSlice[] {
  const slices: JsonSlice[] = [];
  const open = skipBlank(json, 0);
  const isObject = json[open] === "{";
  if (!isObject && json[open] !== "[") return slices;
  let at = skipBlank(json, open + 1);
  while (at < json.length - 1 && !isClosing(json[at])) {
    const keyEnd = isObject ? endOfString(json, at) : at;
    const start = isObject ? skipBlank(json, skipBlank(json, keyEnd) + 1) : at;
    const end = endOfValue(json, start);
    slices.push({ key: isObject ? String(parseJson(json.slice(at, keyEnd))) : null, text: json.slice(start, end) });
    const next = skipBlank(json, end);
    at = json[next] === "," ? skipBlank(json, next + 1) : next;
  }
  return slices;
}

/** The text of a member of an object, the last of its name as in `JSON.parse`; null where there is none. */
export function sliceMember(json: string, key: string): string | null {
  return sliceJson(json).findLast((slice) => slice.key === key)?.text ?? null;
}

function endOfValue(json: string, start: number): number {
  if (json[start] === '"') return endOfString(json, start);
  if (json[start] !== "{" && json[start] !== "[") return endOf(/[^,\]}\s]*/y, json, start);
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const character = json[at];
    if (character === '"') at = endOfString(json, at) - 1;
    else if (character === "{" || character === "[") depth++;
    else if (isClosing(character) && --depth === 0) return at + 1;
  }
  return json.length;
}

/** `start` is at the opening quote. Where there is no closing one, the end of the text. */
function endOfString(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1);
  while (isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote === -1 ? json.length : quote + 1;
}

function isEscaped(json: string, quote: number): boolean {
  let first = quote;
  while (json[first - 1] === "\\") first--;
  return (quote - first) % 2 === 1;
}

function skipBlank(json: string, start: number): number {
  return endOf(/\s*/y, json, start);
}

function endOf(pattern: RegExp, json: string, start: number): number {
  pattern.lastIndex = start;
  pattern.test(json);
  return pattern.lastIndex;
}

function isClosing(character: string | undefined): boolean {
  return character === "}" || character === "]";
}

/** The value of a JSON text, or undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
