import type { McpTool } from "@unroll/protocol";

/** The weight of a query's word, by where it is found. */
const weights = { nameWord: 8, namePart: 4, serverWord: 3, descriptionWord: 2, descriptionPart: 1 } as const;

/**
 * The tools that fit a query, the best first: by the words of name, server and description, rare words counting more.
 * Empty where no word fits. Of equals the one that comes first by name.
 */
export function rankTools(tools: readonly McpTool[], query: string): readonly McpTool[] {
  const words = [...new Set(toWords(query))];
  const scores = words.map((word) => {
    const values = tools.map((tool) => scoreWord(tool, word));
    const matches = values.filter((value) => value > 0).length;
    const rarity = Math.log(1 + tools.length / Math.max(matches, 1));
    return values.map((value) => value * rarity);
  });
  return tools
    .map((tool, index) => ({ tool, score: scores.reduce((sum, values) => sum + (values[index] ?? 0), 0) }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score || (left.tool.name < right.tool.name ? -1 : 1))
    .map(({ tool }) => tool);
}

function scoreWord({ tool, server, description }: McpTool, word: string): number {
  const name = toWords(tool);
  const text = toWords(description);
  return (
    (name.includes(word) ? weights.nameWord : name.some((each) => each.includes(word)) ? weights.namePart : 0) +
    (toWords(server).includes(word) ? weights.serverWord : 0) +
    (text.includes(word)
      ? weights.descriptionWord
      : text.some((each) => each.startsWith(word))
        ? weights.descriptionPart
        : 0)
  );
}

/** In lower case; `createIssue` and `create_issue` are two words each. */
function toWords(text: string): readonly string[] {
  return text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
