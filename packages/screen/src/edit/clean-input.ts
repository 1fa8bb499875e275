/** Text of a person as an edited text may hold it: whole characters, no control characters but `\n`, tabs as spaces. */
export function cleanInput(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\t", "    ")
    .replaceAll(/[^\P{Cc}\n]/gu, "");
}
