/** What a person is shown who logs in by a code. */
export function describeLoginCode({ code, url }: { readonly code: string; readonly url: string }): string {
  return `Open this page on any device:\n${url}\nand enter this code, which you got from nobody else: ${code}`;
}

/** What a person is shown of a page; `otherwise`: in brackets, what there is on a machine without a browser. */
export function describeLoginPage(url: string, isOpened: boolean, otherwise = ""): string {
  const words = isOpened
    ? "Your browser opens this page to log in; if it does not, open it yourself:"
    : `Open this page in a browser of this machine to log in${otherwise}:`;
  return `${words}\n${url}`;
}

/** What became of a login that was to be ended. `isRevoked` false: its server still takes it. */
export function describeLogout(
  outcome: { readonly type: "not_logged_in" } | { readonly type: "logged_out"; readonly isRevoked: boolean | null },
): string {
  if (outcome.type === "not_logged_in") return "Nobody was logged in.";
  const isLeft = outcome.isRevoked === false;
  return `Logged out.${isLeft ? " Its server was not told: it offers no way, or could not be reached." : ""}`;
}
