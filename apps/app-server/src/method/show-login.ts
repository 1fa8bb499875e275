import type { logInToMcp } from "@unroll/harness";
import { RequestFault } from "@unroll/line-server";
import { toProgramFailure } from "@unroll/program";

type LoginEnd = Awaited<ReturnType<typeof logInToMcp>>;

/** A login that a person ends elsewhere. */
interface ShownLogin<Shown> {
  /** What they are shown. Rejects with `RequestFault` where it ended before that. */
  readonly shown: Promise<Shown>;
  /** How it ended; null: the login is there. */
  readonly fault: Promise<string | null>;
}

/** `begin`: the login, which is handed what shows a page or a code. */
export function showLogin<Shown>(
  begin: (show: (shown: Shown) => Promise<void>) => Promise<LoginEnd>,
): ShownLogin<Shown> {
  const page = Promise.withResolvers<Shown>();
  const end = begin(async (shown) => page.resolve(shown));
  const fault = end.then(toLoginFault, (error: unknown) => toProgramFailure(error).error.message);
  void fault.then((error) => page.reject(new RequestFault("invalidRequest", error ?? "Nobody logged in.")));
  return { shown: page.promise, fault };
}

/** Null: the login is there. */
export function toLoginFault(end: LoginEnd): string | null {
  if (end.type === "logged_in") return null;
  return end.type === "failed" ? end.message : "Nobody logged in.";
}
