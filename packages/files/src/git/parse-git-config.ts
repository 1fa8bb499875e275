import { untilNul } from "./follow-git-path.ts";

/** One variable of a git configuration file. */
export interface GitConfigEntry {
  /** As git hands it on: `section.name` or `section.subsection.name`, only the subsection as written; up to the first NUL. */
  readonly key: string;
  readonly section: string;
  readonly subsection: string | null;
  readonly name: string;
  /** Null for a name without `=`, which git takes as true. */
  readonly value: string | null;
}

/** Reads one character after the other; what lies behind the end is the end of a line. */
interface Reader {
  readonly take: () => string;
  /** Puts the last one back. */
  readonly back: () => void;
  readonly isAtEnd: () => boolean;
}

const lineEnd = "\n";
const space = /^[ \t\r\n]$/;
const letter = /^[A-Za-z]$/;
const keyCharacter = /^[A-Za-z0-9-]$/;
const escapes: Readonly<Record<string, string>> = { "\n": "", n: "\n", t: "\t", b: "\b", '"': '"', "\\": "\\" };

/**
 * The variables of a file (git-config, "Syntax"), byte for byte as git reads them; null when git cannot read it either. Git
 * before 2.45 makes a blank of each tab and carriage return within a value, which here stay as they are.
 */
export function parseGitConfig(text: string): readonly GitConfigEntry[] | null {
  const reader = createReader(text.replace(/^\uFEFF/, "").replaceAll("\r\n", lineEnd));
  const entries: GitConfigEntry[] = [];
  let prefix = "";
  while (!reader.isAtEnd()) {
    const character = reader.take();
    if (space.test(character)) continue;
    if (character === "#" || character === ";") {
      skipLine(reader);
    } else if (character === "[") {
      const section = readSection(reader);
      if (section === null) return null;
      prefix = `${section}.`;
    } else {
      reader.back();
      const entry = letter.test(character) ? readVariable(reader, prefix) : null;
      if (entry === null) return null;
      entries.push(entry);
    }
  }
  return entries;
}

function createReader(text: string): Reader {
  let position = 0;
  return {
    take: () => text[position++] ?? lineEnd,
    back: () => (position -= 1),
    isAtEnd: () => position >= text.length,
  };
}

function skipLine(reader: Reader): void {
  while (reader.take() !== lineEnd);
}

/** Reads the header after its `[`. Dots instead of quotes are the old form, in which case does not count. */
function readSection(reader: Reader): string | null {
  let name = "";
  for (let character = reader.take(); ; character = reader.take()) {
    if (character === "]") return name === "" ? null : name.toLowerCase();
    if (space.test(character)) {
      reader.back();
      const subsection = readSubsection(reader);
      return subsection === null ? null : `${name.toLowerCase()}.${subsection}`;
    }
    if (!keyCharacter.test(character) && character !== ".") return null;
    name += character;
  }
}

function readSubsection(reader: Reader): string | null {
  let subsection = "";
  let character = reader.take();
  while (space.test(character) && character !== lineEnd) character = reader.take();
  if (character !== '"') return null;
  for (character = reader.take(); character !== '"'; character = reader.take()) {
    const written = character === "\\" ? reader.take() : character;
    if (written === lineEnd) return null;
    subsection += written;
  }
  return reader.take() === "]" ? subsection : null;
}

function readVariable(reader: Reader, prefix: string): GitConfigEntry | null {
  let name = "";
  let character = reader.take();
  for (; keyCharacter.test(character); character = reader.take()) name += character;
  while (character === " " || character === "\t") character = reader.take();
  if (character !== "=" && character !== lineEnd) return null;
  const value = character === "=" ? readValue(reader) : null;
  if (character === "=" && value === null) return null;
  return toEntry(untilNul(prefix + name.toLowerCase()), value === null ? null : untilNul(value));
}

/** Up to the end of the line; null where git cannot read it. */
function readValue(reader: Reader): string | null {
  let value = "";
  let blanks = "";
  let isQuoted = false;
  for (let character = reader.take(); character !== lineEnd; character = reader.take()) {
    if (!isQuoted && space.test(character)) {
      if (value !== "") blanks += character;
    } else if (!isQuoted && (character === "#" || character === ";")) {
      skipLine(reader);
      return value;
    } else {
      value += blanks;
      blanks = "";
      const written = character === "\\" ? escapes[reader.take()] : character;
      if (written === undefined) return null;
      if (character === '"') isQuoted = !isQuoted;
      else value += written;
    }
  }
  return isQuoted ? null : value;
}

function toEntry(key: string, value: string | null): GitConfigEntry {
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  return {
    key,
    section: key.slice(0, Math.max(0, first)),
    subsection: first === last ? null : key.slice(first + 1, last),
    name: key.slice(last + 1),
    value,
  };
}
