import { hasOpenBracket } from "./has-open-bracket.ts";

/** How far a script was read. */
interface Cursor {
  readonly script: string;
  position: number;
}

const lineAddress = /\$|\d+(?:~\d+)?/y;
const rangeEnd = /,[ \t]*(?:\$|[+~]?\d+)?/y;
const opening = /\/|\\[^\n\\\w\s]/y;
const plainCommand = /[=pPdDnNgGhHxFz]|[qQl] *\d*/y;
const commandEnd = /[ \t]*(?:;|\n|(?=\})|$)/y;
const substitution = /s[^\n\\\w\s]/y;
const substitutionFlags = /(?:[gpiIMm]|\d+)*/y;

/**
 * Whether a sed script only prints: addresses, `p`, `=`, `d`, `q`, the hold space, and `s///` without `e` and `w`. Commands
 * that we do not know (`w`, `r`, `e`, labels, text to insert, comments) do not count as printing.
 */
export function isPrintingSedScript(script: string): boolean {
  const cursor: Cursor = { script, position: 0 };
  let depth = 0;
  for (take(cursor, /[ \t\n;]*/y); cursor.position < script.length; take(cursor, /[ \t\n;]*/y)) {
    if (take(cursor, /\}/y) !== null) depth -= 1;
    else {
      if (!takeAddress(cursor)) return false;
      take(cursor, /[ \t]*!?[ \t]*/y);
      if (take(cursor, /\{/y) !== null) {
        depth += 1;
        continue;
      }
      if (take(cursor, plainCommand) === null && !takeSubstitution(cursor)) return false;
    }
    if (depth < 0 || take(cursor, commandEnd) === null) return false;
  }
  return depth === 0;
}

function take(cursor: Cursor, pattern: RegExp): string | null {
  pattern.lastIndex = cursor.position;
  const found = pattern.exec(cursor.script)?.[0] ?? null;
  cursor.position += found?.length ?? 0;
  return found;
}

/** Goes behind the next delimiter; false where there is none, or where versions of sed would find another. */
function takeDelimited(cursor: Cursor, delimiter: string): boolean {
  const { script, position: start } = cursor;
  while (cursor.position < script.length && script[cursor.position] !== delimiter) {
    if (script[cursor.position] === "\n") return false;
    cursor.position += script[cursor.position] === "\\" ? 2 : 1;
  }
  if (cursor.position >= script.length) return false;
  cursor.position += 1;
  return !hasOpenBracket(script.slice(start, cursor.position - 1));
}

/** No address, one, or a range; false for what is none. */
function takeAddress(cursor: Cursor): boolean {
  const first = takePattern(cursor);
  if (first === "broken") return false;
  if (first === "none" && take(cursor, lineAddress) === null) return true;
  const range = take(cursor, rangeEnd);
  return range === null || /[\d$]$/.test(range) || takePattern(cursor) === "taken";
}

function takePattern(cursor: Cursor): "taken" | "none" | "broken" {
  const delimiter = take(cursor, opening)?.at(-1);
  if (delimiter === undefined) return "none";
  if (!takeDelimited(cursor, delimiter)) return "broken";
  take(cursor, /[IM]*/y);
  return "taken";
}

function takeSubstitution(cursor: Cursor): boolean {
  const delimiter = take(cursor, substitution)?.at(-1);
  if (delimiter === undefined || !takeDelimited(cursor, delimiter) || !takeDelimited(cursor, delimiter)) return false;
  return take(cursor, substitutionFlags) !== null;
}
