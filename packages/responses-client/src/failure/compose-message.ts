/**
 * A message for a person: what happened, what the server said of it, what to do. What a server says is made one line of
 * at most 1,000 characters without control characters: it ends on someone's terminal.
 */
export function composeMessage(what: string, said: string | null, advice: string): string {
  const statement = said === null || said === "" ? what : `${what}: ${toOneLine(said)}`;
  return `${statement}${/[.!?…]$/.test(statement) ? "" : "."} ${advice}`.trimEnd();
}

function toOneLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  return line.length > 1000 ? `${line.slice(0, 999)}…` : line;
}
