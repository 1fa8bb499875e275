import type { Repository } from "./repository.ts";

const maxCodeLines = 1500;

export function checkCoreBudget(repository: Repository): readonly string[] {
  const lines = repository
    .list("packages/core/src/**/*.ts")
    .reduce((sum, file) => sum + countCode(repository.read(file)), 0);
  return lines > maxCodeLines
    ? [
        `packages/core/src: ${lines} code lines, the budget is ${maxCodeLines}: put the new concept into its own package`,
      ]
    : [];
}

function countCode(text: string): number {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, "");
  return bare.split("\n").filter((line) => line.trim() !== "" && !line.trim().startsWith("//")).length;
}
