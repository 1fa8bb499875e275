import type { Repository } from "../repository.ts";
import { findUserTexts } from "./user-texts.ts";

/** All texts for users below a heading for each program and shared package; null where none has that name. */
export function renderWords(repository: Repository, program: string): string | null {
  const texts = findUserTexts(repository).map((text) => ({ ...text, ...placeOf(text.file) }));
  const wanted = texts.filter(
    ({ unit, path }) => `${unit}/${path}`.startsWith(program) && isWhole(unit, path, program),
  );
  if (wanted.length === 0) return null;
  const groups = Map.groupBy(wanted, ({ heading }) => heading);
  return [...groups]
    .map(([heading, rows]) => {
      const lines = rows.map(({ file, line, text }) => `${file}:${line}  ${text.trim().replaceAll("\n", "\n    ")}`);
      return `== ${heading} (${rows.length} ${rows.length === 1 ? "text" : "texts"})\n${lines.join("\n")}\n`;
    })
    .join("\n");
}

/** `cli/doctor` is the folder or the file, not what merely begins so. */
function isWhole(unit: string, path: string, program: string): boolean {
  return program === "" || /^(?:\/|\.ts$|$)/.test(`${unit}/${path}`.slice(program.length));
}

/** `apps/cli/src/doctor/finding.ts` is below `cli/doctor`: the command's many parts each have a heading. */
function placeOf(file: string): { readonly unit: string; readonly path: string; readonly heading: string } {
  const [kind = "", unit = "", , ...rest] = file.split("/");
  const path = rest.join("/");
  if (kind === "packages") return { unit, path, heading: `shared: ${unit}` };
  const part = unit === "cli" && rest.length > 1 ? `/${rest[0]}` : "";
  return { unit, path, heading: `${unit}${part}` };
}
