/** One variable of a git configuration file. */
export interface ConfigEntry {
  /** `section.name` or `section.subsection.name`; section and name in lower case, the subsection as written. */
  readonly key: string;
  readonly section: string;
  readonly subsection: string | undefined;
  readonly name: string;
  /** Nothing for a name without `=`, which git takes as true. */
  readonly value: string | undefined;
}

const SECTION = /[ \t]*\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?[ \t]*\]/y;
const VARIABLE = /([A-Za-z][A-Za-z0-9-]*)[ \t]*(=|(?=\r?\n|$))/y;
const BLANK = /(?:[ \t\r\n\v\f]|[#;][^\n]*)*/y;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b", '"': '"', "\\": "\\" };

/** The variables of a file (git-config, "Syntax"), or nothing when git would not be able to read it either. */
export function parseGitConfig(text: string): readonly ConfigEntry[] | undefined {
  const entries: ConfigEntry[] = [];
  let position = text.startsWith("\uFEFF") ? 1 : 0;
  let section: string | undefined;
  let subsection: string | undefined;

  function match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = position;
    const found = pattern.exec(text);
    if (found !== null) position = pattern.lastIndex;
    return found;
  }

  for (match(BLANK); position < text.length; match(BLANK)) {
    const header = match(SECTION);
    if (header !== null) {
      // `[section.subsection]` is the old form, in which case does not count.
      const [first = "", ...rest] = (header[1] ?? "").toLowerCase().split(".");
      section = first;
      subsection = header[2]?.replaceAll(/\\(.)/g, "$1") ?? (rest.length > 0 ? rest.join(".") : undefined);
      continue;
    }
    const variable = match(VARIABLE);
    if (variable === null || section === undefined) return undefined;
    const name = (variable[1] ?? "").toLowerCase();
    const value = variable[2] === "=" ? readValue(text, position) : undefined;
    if (value !== undefined) {
      if (value.text === undefined) return undefined;
      position = value.end;
    }
    const key = [section, subsection, name].filter((part) => part !== undefined).join(".");
    entries.push({ key, section, subsection, name, value: value?.text });
  }
  return entries;
}

/** Up to the end of the line: quotes, escapes, comments and continued lines taken care of. */
function readValue(text: string, start: number): { readonly text: string | undefined; readonly end: number } {
  let value = "";
  let isQuoted = false;
  let position = start;
  for (; position < text.length && (text[position] !== "\n" || isQuoted); position += 1) {
    const character = text[position] ?? "";
    if (character === "\n") return { text: undefined, end: position };
    if (character === '"') {
      isQuoted = !isQuoted;
    } else if (character === "\\") {
      const escape = text.startsWith("\r\n", position + 1) ? "\r\n" : (text[position + 1] ?? "");
      const escaped = escape.endsWith("\n") ? "" : ESCAPES[escape];
      if (escaped === undefined) return { text: undefined, end: position };
      value += escaped;
      position += escape.length;
    } else if (!isQuoted && (character === "#" || character === ";")) {
      const lineEnd = text.indexOf("\n", position);
      return { text: value.trim(), end: lineEnd === -1 ? text.length : lineEnd };
    } else {
      value += character;
    }
  }
  return isQuoted ? { text: undefined, end: position } : { text: value.trim(), end: position };
}

/** The same variables as a file, without its comments. */
export function formatGitConfig(entries: readonly ConfigEntry[]): string {
  const headers = entries.map(({ section, subsection }) =>
    subsection === undefined ? `[${section}]\n` : `[${section} "${escape(subsection)}"]\n`,
  );
  return entries
    .map(({ name, value }, index) => {
      const header = headers[index] === headers[index - 1] ? "" : headers[index];
      return `${header}\t${name}${value === undefined ? "" : ` = "${escape(value).replaceAll("\n", "\\n")}"`}\n`;
    })
    .join("");
}

function escape(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
}
