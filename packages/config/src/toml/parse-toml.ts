import { parse, TomlError } from "smol-toml";
import { ConfigError } from "../fault/config-error.ts";
import { findWrongDate } from "./find-wrong-date.ts";
import { createPositionFinder, type TextPosition } from "./position.ts";
import type { Table } from "./table.ts";

/** What smol-toml's terse faults mean for the person who wrote the file. */
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
  "invalid date": "expected a date or a time that there is",
  "unrecognised escape sequence":
    'expected one of \\b \\t \\n \\f \\r \\e \\" \\\\ \\xHH \\uHHHH \\UHHHHHHHH behind the backslash; in single quotes a backslash is one',
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
