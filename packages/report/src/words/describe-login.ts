/** What you are shown to log in by a code. */
export function describeLoginCode({ code, url }: { readonly code: string; readonly url: string }): string {
  return `Open this page on any device:\n${url}\nand enter this code, which you got from nobody else: ${code}`;
}

/** What you are shown of a login page; `otherwise`: in brackets, what to do on a machine without a browser. */
export function describeLoginPage(url: string, isOpened: boolean, otherwise = ""): string {
  const words = isOpened
    ? "Your browser opens this page to log in; if it does not, open it yourself:"
    : `Open this page in a browser of this machine to log in${otherwise}:`;
  return `${words}\n${url}`;
}

/** How a login ended that did not succeed. */
export type LoginFault =
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "cancelled" }
  /** The config allows only this method. */
  | { readonly type: "forbidden"; readonly allowed: "api" | "chatgpt" };

/** Why nobody is logged in now. */
export function explainLoginFault(fault: LoginFault): string {
  switch (fault.type) {
    case "failed":
      return fault.message;
    case "cancelled":
      return "Nobody logged in, and nothing has changed.";
    case "forbidden": {
      const way = fault.allowed === "api" ? "an API key: unroll login --with-api-key" : "ChatGPT: unroll login";
      return `forced_login_method is "${fault.allowed}", so you can only log in with ${way}.`;
    }
  }
}

/** How a logout ended. `isRevoked` false: the server still accepts the login. */
export function describeLogout(
  outcome: { readonly type: "not_logged_in" } | { readonly type: "logged_out"; readonly isRevoked: boolean | null },
): string {
  if (outcome.type === "not_logged_in") return "Nobody was logged in.";
  const isLeft = outcome.isRevoked === false;
  return `Logged out.${isLeft ? " Its server was not told: it offers no way, or could not be reached." : ""}`;
}
