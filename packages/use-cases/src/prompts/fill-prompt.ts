/** A prompt with its arguments in their places. */
export type FilledPrompt =
  | { readonly type: "filled"; readonly text: string }
  /** Named places of the prompt that were given nothing. */
  | { readonly type: "missing"; readonly names: readonly string[] };

/**
 * Puts arguments into a prompt: `$1` to `$9` and `$ARGUMENTS` by place, `$NAME` by `NAME=value`; `$$` is a dollar. A
 * value with blanks must be in quotes. Arguments for a prompt without any place are appended to it.
 */
export function fillPrompt(body: string, argument: string): FilledPrompt {
  const words = splitWords(argument);
  const named = new Map(words.flatMap((word) => toNamed(word)));
  const names = new Set([...body.matchAll(/\$(?:\$|([A-Z][A-Z0-9_]*))/g)].flatMap(([, name]) => name ?? []));
  names.delete("ARGUMENTS");
  const missing = [...names].filter((name) => !named.has(name));
  if (missing.length > 0) return { type: "missing", names: missing };
  const placed = names.size === 0 ? words : words.filter((word) => toNamed(word).length === 0);
  let isUsed = names.size > 0;
  const text = body.replaceAll(/\$(\$|[1-9]|[A-Z][A-Z0-9_]*)/g, (_whole, key: string) => {
    if (key === "$") return "$";
    isUsed = true;
    if (key === "ARGUMENTS") return argument;
    return named.get(key) ?? placed[Number(key) - 1] ?? "";
  });
  return { type: "filled", text: isUsed || argument === "" ? text : `${text.trimEnd()}\n\n${argument}` };
}

function toNamed(word: string): readonly (readonly [string, string])[] {
  const [, name = null, value = ""] = /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(word) ?? [];
  return name === null ? [] : [[name, value]];
}

/** As a shell splits them, with quotes and backslashes, and nothing else of it. */
function splitWords(text: string): readonly string[] {
  const found = text.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*'|["'\\])+/gs);
  return [...found].map(([word]) =>
    word.replaceAll(
      /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs,
      (...[, escaped, double, single]: readonly (string | undefined)[]) =>
        escaped ?? single ?? (double ?? "").replaceAll(/\\(["\\$])/g, "$1"),
    ),
  );
}
