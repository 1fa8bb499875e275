import type { Repository } from "./repository.ts";

/** Core is the file set that everybody reads first. Other packages have no cap: it would shape their code. */
const maxCodeLines = 2000;

export function checkBudgets(repository: Repository): readonly string[] {
  const lines = repository
    .list("packages/core/src/**/*.ts")
    .reduce((sum, file) => sum + countCode(repository.read(file)), 0);
  const problem = `packages/core/src: ${lines} code lines, the budget is ${maxCodeLines}: put the new concept into its own package`;
  return lines > maxCodeLines ? [problem] : [];
}

/** Lines that are neither blank nor a comment. */
export function countCode(text: string): number {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, "");
  return bare.split("\n").filter((line) => line.trim() !== "" && !line.trim().startsWith("//")).length;
}
