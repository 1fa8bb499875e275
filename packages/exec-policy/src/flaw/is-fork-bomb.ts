import { forEachChild, type Function as FunctionNode, type SyntaxNode } from "unbash";

/** Whether a function starts itself in a pipe or in the background, like `:(){ :|:& };:`. */
export function isForkBomb(node: FunctionNode): boolean {
  return startsBeside(node.body, node.name.value, "in turn");
}

function startsBeside(node: SyntaxNode, name: string, place: "in turn" | "beside"): boolean {
  if (node.type === "Command" && node.name?.value === name) return place === "beside";
  if (node.type === "Word") return false;
  const isBeside = node.type === "Pipeline" || (node.type === "Statement" && node.background === true);
  let found = false;
  forEachChild(node, (child) => {
    found ||= startsBeside(child, name, isBeside ? "beside" : place);
  });
  return found;
}
