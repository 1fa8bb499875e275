import { parse, TomlError } from "smol-toml";
import { ConfigError } from "../config-error.ts";
import { locateKeys } from "./locate-keys.ts";
import type { Table } from "./table.ts";

/** Explains smol-toml's terse errors to the author of the file. */
const expectations: Readonly<Record<string, string>> = {
  "invalid value": "expected a value here: a string in quotes, a number, true, false, an array or a table",
  "unfinished string": "expected a closing quote for this string",
  "control characters are not allowed in strings":
    "expected a closing quote for this string before the end of the line, and no control character in it",
  "unfinished array": "expected a closing ] for this array",
  "unfinished table": "expected a closing } for this table",
  "expected comma or end of structure": "expected a comma or the closing bracket here",
  "incomplete key-value: cannot find end of key": 'expected "=" and a value after this key',
  "illegal character in key": 'expected "=" after the key; only A-Z, a-z, 0-9, - and _ need no quotes in a key',
  "illegal empty bare key": "expected a name before the dot",
  "unexpected end of key": "expected a name here",
  "expected end of table array declaration": "expected ]] at the end of this header",
  "each key-value declaration must be followed by an end-of-line": "expected the end of the line after the value",
  "trying to redefine an already defined value": "expected a new key, but this one is set above already",
  "trying to redefine an already defined table or value":
    "expected a new key or table, but this one is set above already",
  "document contains an unsafe property": "expected another name: __proto__ and constructor cannot be keys",
  "invalid date": "expected a valid date or time",
  "unrecognised escape sequence":
    'expected one of \\b \\t \\n \\f \\r \\e \\" \\\\ \\xHH \\uHHHH \\UHHHHHHHH after the backslash; in single quotes, a backslash is literal',
  "integer value cannot be represented losslessly": "expected a whole number below 2^53",
};

/** Parses a config file. Throws `ConfigError` (`toml_invalid`) that names file, line, column and what was expected. */
export function parseToml(text: string, path: string): Table {
  const table = tryToParse(text, path);
  const wrong = findWrongDate(text);
  if (wrong === null) return table;
  throw toError(`expected ${wrong.expected}`, path, createPositionFinder(text)(wrong.offset));
}

function tryToParse(text: string, path: string): Table {
  try {
    return parse(text, { unsafeKeyBehaviour: "throw", integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The error itself goes no further: it quotes the line, which may hold a credential.
    const fault = /document: (.*)/.exec(error.message)?.[1] ?? "";
    throw toError(expectations[fault] ?? fault, path, error);
  }
}

function toError(fault: string, path: string, { line, column }: TextPosition): ConfigError {
  return new ConfigError({
    code: "toml_invalid",
    message: `this is not valid TOML: ${fault}.`,
    origin: { type: "file", path, line, column },
  });
}

interface WrongDate {
  readonly offset: number;
  /** The expected form, to follow "expected". */
  readonly expected: string;
}

/** Nearly no file has a text that looks so: the others are not read once more. */
const maybeWrong = /-02-(?:29|30|31)|-(?:04|06|09|11)-31|[+-]\d{4}(?![\d-])/;

/**
 * The first date that TOML forbids and our reader takes all the same: a day that its month does not have, which it makes a later
 * one, and an offset without a colon. The text must have parsed.
 */
function findWrongDate(text: string): WrongDate | null {
  if (!maybeWrong.test(text)) return null;
  const wrong: WrongDate[] = [];
  locateKeys(text, (value, offset) => {
    const expected = findFault(value);
    if (expected !== null) wrong.push({ offset, expected });
  });
  return wrong[0] ?? null;
}

function findFault(value: string): string | null {
  const [, year = "", month = "", day = "", rest = ""] = /^(\d{4})-(\d{2})-(\d{2})(.*)$/.exec(value) ?? [];
  if (year === "") return null;
  const found = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (found.getUTCDate() !== Number(day)) return "a day that its month has";
  return /[+-]\d{4}$/.test(rest) ? "a colon between the hours and the minutes of the offset, like +09:00" : null;
}

/** Both from 1. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Offset to line and column. The lines are counted once: each key of a file is asked for. */
export function createPositionFinder(text: string): (offset: number) => TextPosition {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  return (offset) => {
    let [line, end] = [1, starts.length];
    while (line < end) {
      const middle = Math.ceil((line + end) / 2);
      if ((starts[middle - 1] ?? 0) <= offset) line = middle;
      else end = middle - 1;
    }
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}
