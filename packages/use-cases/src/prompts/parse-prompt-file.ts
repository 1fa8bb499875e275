/** A prompt of the person's, as its file has it. */
export interface PromptFile {
  /** Null: the file does not say. */
  readonly description: string | null;
  /** What may stand behind its name; null: the file does not say. */
  readonly argumentHint: string | null;
  readonly body: string;
}

/** Takes the lines `description:` and `argument-hint:` out of a front matter between `---` lines; all else is the prompt. */
export function parsePromptFile(text: string): PromptFile {
  const [, front = null, body = ""] = /^---\r?\n(.*?)^---\r?\n?(.*)$/ms.exec(text) ?? [];
  if (front === null) return { description: null, argumentHint: null, body: text };
  return { description: readKey(front, "description"), argumentHint: readKey(front, "argument-hint"), body };
}

function readKey(front: string, key: string): string | null {
  const line = front.split(/\r?\n/).find((each) => each.startsWith(`${key}:`));
  const value = line?.slice(key.length + 1).trim() ?? "";
  return value === "" ? null : value.replace(/^(["'])(.*)\1$/, "$2");
}
