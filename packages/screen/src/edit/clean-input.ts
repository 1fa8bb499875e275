/** Text of a person as an edited text may hold it: whole characters, no control characters but `\n`, tabs as spaces. */
export function cleanInput(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\t", "    ")
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, "");
}
