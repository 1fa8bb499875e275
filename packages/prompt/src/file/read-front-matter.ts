import { FAILSAFE_SCHEMA, load, YAMLException } from "js-yaml";
import type { TextPlace } from "./file-fault.ts";
import { splitFrontMatter } from "./split-front-matter.ts";

/** The front matter of a Markdown file. Every scalar in it is text, so that `name: 2024` means what it says. */
export interface FrontMatter {
  readonly type: "read";
  readonly value: unknown;
  readonly body: string;
  /** The place of a key in the file; the first line if the key is not there. */
  placeOf(key: string): TextPlace;
}

/** `problem` says what is wrong and how to fix it. */
export interface BrokenText extends TextPlace {
  readonly type: "broken";
  readonly problem: string;
}

export function readFrontMatter(text: string): FrontMatter | BrokenText {
  const split = splitFrontMatter(text);
  if (split.type === "no_fence") return toBroken("the first line must be `---`, then `name:` and `description:` lines");
  if (split.type === "not_closed") return toBroken("the front matter that begins here must be ended by a line `---`");
  const { header, body } = split;
  const yaml = loadYaml(header);
  if (yaml.type === "broken") return yaml;
  return { type: "read", value: yaml.value, body, placeOf: (key) => findPlace(header, key) };
}

/** A fault of the file as a whole. */
export function toBroken(problem: string, { line, column }: TextPlace = { line: 1, column: 1 }): BrokenText {
  return { type: "broken", line, column, problem };
}

function loadYaml(header: string): { readonly type: "loaded"; readonly value: unknown } | BrokenText {
  try {
    return { type: "loaded", value: header.trim() === "" ? {} : load(header, { schema: FAILSAFE_SCHEMA }) };
  } catch (error) {
    // js-yaml asks to catch everything: deep nesting, for one, overflows the stack.
    if (!(error instanceof YAMLException)) return toBroken("the front matter cannot be read as YAML");
    const { line = 0, column = 0 } = error.mark ?? {};
    const hint = "text that holds `: ` or ` #`, or starts with a special character, needs quotes";
    return toBroken(`${error.reason} (${hint})`, { line: line + 2, column: column + 1 });
  }
}

function findPlace(header: string, key: string): TextPlace {
  const index = header.split("\n").findIndex((line) => line.startsWith(`${key}:`));
  return { line: index < 0 ? 1 : index + 2, column: 1 };
}
