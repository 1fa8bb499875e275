import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const maxFiles = 64;
const maxFileBytes = 512 * 1024;
/** `.` and `source` where a command may begin, and the word behind them. */
const sourcing = /(?:^|[\s;&|({])\\?(?:\.|source)[ \t]+(?<word>"[^"\n]*"|'[^'\n]*'|[^\s;&|(){}"']+)/gm;
/** Files of version managers that you change to get another version in the next shell. */
const readOtherwise = ['"$NVM_DIR/alias/default"'];
/**
 * A variable's declaration with a value in which nothing is quoted. It is held to the first `=`: tried from each of them, a
 * long value of nothing else would take minutes.
 */
const plainValue = /^[^=]*=(?:"(?<quoted>[^"\\$`]*)"|(?<value>[^"\\$`'()]*))$/;

/**
 * The files that profiles name behind `.` or `source`, and those that these name, as far as a name is plain or made of
 * variables of `declarations`: what a profile reads besides itself. It runs nothing, so it finds what is written out, not what
 * is computed. Bounded: 64 files.
 */
export function findSourcedFiles(
  profiles: readonly string[],
  declarations: ReadonlyMap<string, string>,
): readonly string[] {
  const found = new Set([...profiles, ...readOtherwise.map((word) => expand(word, declarations)).filter(Boolean)]);
  for (const path of found) {
    if (found.size >= maxFiles) break;
    for (const { groups } of readText(path).matchAll(sourcing)) {
      const file = expand(groups?.["word"] ?? "", declarations);
      if (file.startsWith("/")) found.add(file);
    }
  }
  return [...found].slice(0, maxFiles);
}

/**
 * A profile's author decides which file is opened here: a pipe, a terminal or a kernel file must not block us. No more
 * is read than the size that the file tells, and those of the kernel tell none.
 */
function readText(path: string): string {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      const stats = fstatSync(file);
      if (!stats.isFile() || stats.size > maxFileBytes) return "";
      const bytes = Buffer.alloc(stats.size);
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}

/** Empty where a variable is not known. */
function expand(word: string, declarations: ReadonlyMap<string, string>): string {
  if (word.startsWith("'")) return word.slice(1, -1);
  const text = word.replaceAll('"', "").replace(/^~(?=\/)/, "$HOME");
  const expanded = text.replaceAll(/\$(?:\{\w+\}|\w+)/g, (variable) => {
    const declaration = declarations.get(variable.replaceAll(/[${}]/g, "")) ?? "";
    const { quoted, value } = plainValue.exec(declaration)?.groups ?? {};
    return quoted ?? value ?? "*";
  });
  return /[*?[\]$`]/.test(expanded) ? "" : expanded;
}
