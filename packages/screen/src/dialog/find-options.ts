import type { Choice, ChoiceOption } from "./choice.ts";

/**
 * The options that hold each word of what is searched, in whatever case; all where nothing is. Options whose row holds the text as it
 * was typed come first. One with a field is always found: it takes what is searched as its text.
 */
export function findOptions({ options, search }: Pick<Choice, "options" | "search">): readonly ChoiceOption[] {
  if (search === null || search.text === "") return options;
  const typed = search.text.toLowerCase();
  const words = typed.split(/\s+/);
  const found = options.filter(({ label, detail = "", columns = [], about = [], field }) => {
    if (field !== undefined) return true;
    const text = [label, detail, ...columns, ...about].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const isPhrase = ({ label, detail = "" }: ChoiceOption): boolean =>
    [label, detail].some((text) => text.toLowerCase().includes(typed));
  return found.toSorted((one, other) => Number(isPhrase(other)) - Number(isPhrase(one)));
}
