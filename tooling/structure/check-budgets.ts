import type { Repository } from "./repository.ts";

const maxCodeLines = 1500;

/** What stays small on purpose, and where what is too much goes. */
const budgets: Readonly<Record<string, string>> = {
  "packages/core": "put the new concept into its own package",
  "apps/app-server": "it maps a wire: what front ends share goes to packages/front-end",
  "apps/acp": "it maps a wire: what front ends share goes to packages/front-end",
  "apps/mcp-server": "it maps a wire: what front ends share goes to packages/front-end",
};

export function checkBudgets(repository: Repository): readonly string[] {
  return Object.entries(budgets).flatMap(([folder, remedy]) => {
    const lines = repository
      .list(`${folder}/src/**/*.ts`)
      .reduce((sum, file) => sum + countCode(repository.read(file)), 0);
    return lines > maxCodeLines ? [`${folder}/src: ${lines} code lines, the budget is ${maxCodeLines}: ${remedy}`] : [];
  });
}

function countCode(text: string): number {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, "");
  return bare.split("\n").filter((line) => line.trim() !== "" && !line.trim().startsWith("//")).length;
}
