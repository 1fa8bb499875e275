import type { GitConfigEntry } from "@unroll/files";

/** A name that was cut off by a NUL may not be writable. */
export const plainName: RegExp = /^[a-z][a-z0-9-]*$/;

/** The same variables as a file, without comments and without variables that cannot be written. */
export function formatGitConfig(entries: readonly GitConfigEntry[]): string {
  const writable = entries.filter(({ name }) => plainName.test(name));
  const headers = writable.map(formatHeader);
  return writable
    .map(({ name, value }, index) => {
      const header = headers[index] === headers[index - 1] ? "" : headers[index];
      return `${header}\t${name}${value === null ? "" : ` = "${escape(value).replaceAll("\n", "\\n")}"`}\n`;
    })
    .join("");
}

/** Variables before the first section have no header. */
function formatHeader({ section, subsection }: GitConfigEntry): string {
  if (subsection !== null) return `[${section} "${escape(subsection)}"]\n`;
  return section === "" ? "" : `[${section}]\n`;
}

function escape(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
}
