/** Whether a regular expression ends within brackets: some implementations take its delimiter as a character there. */
export function hasOpenBracket(expression: string): boolean {
  const plain = expression.replaceAll(/\\[\s\S]/g, "x");
  return plain.replaceAll(/\[(?:\^?\]|(?!\^?\]))(?:\[[:.=][^\]]*[:.=]\]|[^\]])*\]/g, "").includes("[");
}
