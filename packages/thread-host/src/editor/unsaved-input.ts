import type { UserInputPart } from "@unroll/protocol";

/** In the model's window; what a client embeds is as long as the client wants. */
const maxUnsavedCharacters = 128 * 1024;

const unsavedTag = "<unsaved_changes>";

/** The texts, by their paths, that an editor has and the disk has not; in tags, as nobody said them. */
export function toUnsavedInput(unsaved: ReadonlyMap<string, string>): readonly UserInputPart[] {
  return [...unsaved].map(([path, text]) => {
    const shown =
      text.length > maxUnsavedCharacters ? "It is too long to be shown." : `Its text:\n${toFileContext(path, text)}`;
    const told = `The editor has changes to ${path} that are not saved. ${shown}`;
    return { type: "text", isAdded: true, text: `${unsavedTag}\n${told}\n</unsaved_changes>` };
  });
}

/** The text of a file, with its name. */
export function toFileContext(name: string, text: string): string {
  return `<context path=${JSON.stringify(name)}>\n${text}${text.endsWith("\n") ? "" : "\n"}</context>`;
}
