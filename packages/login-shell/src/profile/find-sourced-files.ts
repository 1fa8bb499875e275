import { readFileSync, statSync } from "node:fs";

const maxFiles = 64;
const maxFileBytes = 512 * 1024;
/** `.` and `source` where a command may begin, and the word behind them. */
const sourcing = /(?:^|[\s;&|({])\\?(?:\.|source)[ \t]+(?<word>"[^"\n]*"|'[^'\n]*'|[^\s;&|(){}"']+)/gm;
/** What version managers read that people change to have another version in the next shell. */
const readOtherwise = ['"$NVM_DIR/alias/default"'];
/** A variable's declaration with a value in which nothing is quoted. */
const plainValue = /=(?:"(?<quoted>[^"\\$`]*)"|(?<value>[^"\\$`'()]*))$/;

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

function readText(path: string): string {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= maxFileBytes ? readFileSync(path, "utf8") : "";
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
