/** Commander's message about a wrong command line, without its first word, and with advice if it is a matter of quoting. */
export function explainUsageError(text: string): string {
  const message = text.replace(/^error: /, "");
  const hint = hintAtQuoting(message);
  return hint === null ? message : `${message.trimEnd()}${hint}${message.endsWith("\n") ? "\n" : ""}`;
}

/** Null: nothing says that text was meant. */
function hintAtQuoting(message: string): string | null {
  const [, option = ""] = /^unknown option '([\s\S]*?)'/.exec(message) ?? [];
  if (/\s|^-[^-]./.test(option))
    return ". To pass text that starts with -, write -- before it: unroll exec -- '-x is wrong'.";
  return message.startsWith("too many arguments") ? " Put text with spaces in quotes to make it one argument." : null;
}
