import { ConfigError } from "../fault/config-error.ts";
import type { ConfigWarning } from "../fault/config-warning.ts";
import { parseConfigFile } from "../layer/parse-config-file.ts";
import { readConfigText } from "../layer/read-config-file.ts";
import { changeFile } from "./change-file.ts";

export interface ConfigReplacement {
  /** What the file said when it was read; null: it was not there. */
  readonly before: string | null;
  /** Where the new text is, for messages. */
  readonly draft: string;
  readonly text: string;
}

/** See `replaceConfigText`. */
export async function runReplaceConfigText(
  file: string,
  { before, draft, text }: ConfigReplacement,
): Promise<readonly ConfigWarning[]> {
  const { warnings } = parseConfigFile(text.replace(/^\uFEFF/, ""), draft);
  await changeFile(file, async () => {
    if ((await readConfigText(file)) === before) return text;
    const message = `${file} was changed by somebody else meanwhile: put both together by hand. Yours is in ${draft}.`;
    throw new ConfigError({ code: "edit_impossible", message, file });
  });
  return warnings;
}
