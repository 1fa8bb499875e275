const steps = [
  { unit: "d", seconds: 24 * 60 * 60 },
  { unit: "h", seconds: 60 * 60 },
  { unit: "min", seconds: 60 },
] as const;

/** How long ago, in the largest unit that fits. `ms`: of time since. */
export function renderAge(ms: number): string {
  const seconds = ms / 1000;
  const step = steps.find((each) => seconds >= each.seconds);
  return step === undefined ? "just now" : `${Math.floor(seconds / step.seconds)} ${step.unit} ago`;
}
