import { toPlainText } from "@unroll/text";

/** The text for a login with a code. */
export function describeLoginCode({ code, url }: { readonly code: string; readonly url: string }): string {
  return `Open this page on any device:\n${url}\nand enter this code: ${code}\nNever enter a code that someone else gave you.`;
}

/** The text for a login page; `otherwise`: in brackets, what to do on a machine without a browser. */
export function describeLoginPage(url: string, isOpened: boolean, otherwise = ""): string {
  const words = isOpened
    ? "Your browser opens this page to log in. If it does not, open it yourself:"
    : `Open this page in a browser on this machine to log in${otherwise}:`;
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
      return "Login cancelled. Nothing has changed.";
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
  if (outcome.type === "not_logged_in") return "You were not logged in.";
  const isLeft = outcome.isRevoked === false;
  return `Logged out.${isLeft ? " Its server could not revoke the login, so it stays valid there." : ""}`;
}

/** A login by its name, without its secrets. */
interface DescribedAccount {
  /** Null: nobody is logged in. */
  readonly status: {
    readonly type: "key" | "tokens";
    readonly email: string | null;
    readonly plan: string | null;
  } | null;
  /** Why it is not used. */
  readonly fault: string | null;
}

/** The owner of an account, as a clause. */
export function describeAccountLogin({ status, fault }: DescribedAccount): string {
  if (status === null) return fault ?? "not logged in";
  const plan = status.plan === null ? "" : ` (${toPlainText(status.plan)})`;
  const who = status.type === "key" ? "API key" : `${toPlainText(status.email ?? "ChatGPT")}${plan}`;
  return fault === null ? who : `${who}: ${fault}`;
}
