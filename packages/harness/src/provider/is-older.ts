/** Whether one version comes before another, both like `0.13.4`, what is behind a `-` left out. One built by hand (`0.0.0`) is not. */
export function isOlder(version: string, than: string): boolean {
  const [numbers, others] = [toNumbers(version), toNumbers(than)];
  if (numbers.every((number) => number === 0)) return false;
  const at = others.findIndex((number, index) => number !== (numbers[index] ?? 0));
  return at !== -1 && (numbers[at] ?? 0) < (others[at] ?? 0);
}

function toNumbers(version: string): readonly number[] {
  return (version.replace(/^v/, "").split(/[-+]/)[0] ?? "").split(".").map((part) => Number.parseInt(part, 10) || 0);
}
