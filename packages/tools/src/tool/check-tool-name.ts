const namePattern = /^[\w-]{1,64}$/;

/** Throws a `TypeError` for a name that the Responses API refuses. */
export function checkToolName(name: unknown): void {
  if (typeof name === "string" && namePattern.test(name)) return;
  throw new TypeError(
    `Tool name ${name === undefined ? "undefined" : JSON.stringify(name)}: use 1 to 64 letters, digits, "_" or "-".`,
  );
}
