/** The name in a line `--- name` or `+++ name`, as it is written there; null: there is no file on that side. */
export function readFileName(line: string): string | null {
  const [name = ""] = line.slice(4).split("\t", 1);
  return name === "/dev/null" ? null : name.replace(/^"(.*)"$/, "$1");
}
