/** What a person said in a message to the model, without what the program added; null: it is the harness's own. */
export function readSaid(text: string): string | null {
  const said = text.replace(/\n\n<plan_mode>\n.*<\/plan_mode>$/s, "");
  return /^\s*<[a-z_]+[> ]/.test(said) || said.startsWith("# AGENTS.md instructions for ") || said.trim() === ""
    ? null
    : said;
}
