/** One variable of a git configuration file. */
export interface ConfigEntry {
  /** `section.name` or `section.subsection.name`; section and name in lower case, the subsection as written. */
  readonly key: string;
  readonly section: string;
  readonly subsection: string | null;
  readonly name: string;
  /** Null for a name without `=`, which git takes as true. */
  readonly value: string | null;
}

const sectionPattern = /[ \t]*\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?[ \t]*\]/y;
const variablePattern = /([A-Za-z][A-Za-z0-9-]*)[ \t]*(=|(?=\r?\n|$))/y;
const blankPattern = /(?:[ \t\r\n\v\f]|[#;][^\n]*)*/y;
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b", '"': '"', "\\": "\\" };

/** The variables of a file (git-config, "Syntax"), or null when git would not be able to read it either. */
export function parseGitConfig(text: string): readonly ConfigEntry[] | null {
  const entries: ConfigEntry[] = [];
  let position = text.startsWith("\uFEFF") ? 1 : 0;
  let section: string | null = null;
  let subsection: string | null = null;

  function match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = position;
    const found = pattern.exec(text);
    if (found !== null) position = pattern.lastIndex;
    return found;
  }

  for (match(blankPattern); position < text.length; match(blankPattern)) {
    const header = match(sectionPattern);
    if (header !== null) {
      // `[section.subsection]` is the old form, in which case does not count.
      const [first = "", ...rest] = (header[1] ?? "").toLowerCase().split(".");
      section = first;
      subsection = header[2]?.replaceAll(/\\(.)/g, "$1") ?? (rest.length > 0 ? rest.join(".") : null);
      continue;
    }
    const variable = match(variablePattern);
    if (variable === null || section === null) return null;
    const name = (variable[1] ?? "").toLowerCase();
    const value = variable[2] === "=" ? readValue(text, position) : null;
    if (value !== null) {
      if (value.text === null) return null;
      position = value.end;
    }
    const key = [section, subsection, name].filter((part) => part !== null).join(".");
    entries.push({ key, section, subsection, name, value: value?.text ?? null });
  }
  return entries;
}

/** Up to the end of the line; a null text is one that git cannot read. Quotes, escapes, comments and continued lines are taken care of. */
function readValue(text: string, start: number): { readonly text: string | null; readonly end: number } {
  let value = "";
  let isQuoted = false;
  let position = start;
  for (; position < text.length && (text[position] !== "\n" || isQuoted); position += 1) {
    const character = text[position] ?? "";
    if (character === "\n") return { text: null, end: position };
    if (character === '"') {
      isQuoted = !isQuoted;
    } else if (character === "\\") {
      const escape = text.startsWith("\r\n", position + 1) ? "\r\n" : (text[position + 1] ?? "");
      const escaped = escape.endsWith("\n") ? "" : escapes[escape];
      if (escaped === undefined) return { text: null, end: position };
      value += escaped;
      position += escape.length;
    } else if (!isQuoted && (character === "#" || character === ";")) {
      const lineEnd = text.indexOf("\n", position);
      return { text: value.trim(), end: lineEnd === -1 ? text.length : lineEnd };
    } else {
      value += character;
    }
  }
  return isQuoted ? { text: null, end: position } : { text: value.trim(), end: position };
}

/** The same variables as a file, without its comments. */
export function formatGitConfig(entries: readonly ConfigEntry[]): string {
  const headers = entries.map(({ section, subsection }) =>
    subsection === null ? `[${section}]\n` : `[${section} "${escape(subsection)}"]\n`,
  );
  return entries
    .map(({ name, value }, index) => {
      const header = headers[index] === headers[index - 1] ? "" : headers[index];
      return `${header}\t${name}${value === null ? "" : ` = "${escape(value).replaceAll("\n", "\\n")}"`}\n`;
    })
    .join("");
}

function escape(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
}
