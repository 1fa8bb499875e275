/**
 * A message for a person: what happened, what the server said of it, what to do. What a server says is made one line
 * without control characters: it ends on someone's terminal.
 */
export function composeMessage(what: string, said: string | null, advice: string): string {
  const line = (said ?? "").replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  const statement = line === "" ? what : `${what}: ${line}`;
  return `${statement}${/[.!?]$/.test(statement) ? "" : "."} ${advice}`.trimEnd();
}
