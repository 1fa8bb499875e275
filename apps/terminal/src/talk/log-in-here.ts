import type { ResolvedConfig } from "@unroll/config";
import { openChoice } from "@unroll/screen";
import { done } from "../dialog/dialog-flow.ts";
import type { Opening } from "./opening.ts";
import { tell } from "./tell.ts";

/** How long a person may take on the pages of the server, in ms. */
const patienceMs = 15 * 60 * 1000;

/** Logs the person in without leaving the program; false: they did not, which was told. */
export async function logInHere(
  opening: Omit<Opening, "flags">,
  config: ResolvedConfig,
  way: "code" | "key",
): Promise<boolean> {
  const { desk, host, signal } = opening;
  const { openLogin } = await import("@unroll/harness");
  const login = await openLogin(config, host);
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const key = way === "key" ? await askKey(opening) : "";
  if (key === null) return false;
  const outcome =
    way === "key"
      ? await login.logInByKey(key, patience)
      : await login.logInByDevice({
          showCode: async ({ code, url }) =>
            tell(
              { desk },
              `Open this page on any device:\n${url}\nand enter this code, which you got from nobody else: ${code}`,
            ),
          signal: patience,
        });
  if (outcome.type === "failed") tell({ desk }, outcome.message, "error");
  if (outcome.type !== "logged_in") return false;
  for (const notice of outcome.notices) tell({ desk }, notice);
  tell({ desk }, "Logged in.", "success");
  return true;
}

/** Null: the person left. */
function askKey({ desk, signal }: Omit<Opening, "flags">): Promise<string | null> {
  const head = [
    { spans: [{ text: "The API key. It is kept for later runs (unroll logout forgets it)." }], wrap: "words" },
  ] as const;
  const options = [{ id: "key", key: "k", label: "key", field: { text: "", placeholder: "paste it here" } }];
  return desk.ask({ choice: openChoice(head, options), next: (answer) => done(answer?.text?.trim() || null) }, signal);
}
