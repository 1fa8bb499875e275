import type { ResolvedConfig } from "@unroll/config";
import type { openLogin } from "@unroll/harness";
import { describeLoginCode, describeLoginPage, loginLimits, openPage } from "@unroll/program";
import { openChoice } from "@unroll/screen";
import type { LoginWay } from "../command/terminal-command.ts";
import { createChooseFlow } from "../dialog/choose-flow.ts";
import { done } from "../dialog/dialog-flow.ts";
import { type Opening, tell } from "./app.ts";

type LoginPlace = Omit<Opening, "flags">;
type Login = Awaited<ReturnType<typeof openLogin>>;
type LoginOutcome = Awaited<ReturnType<Login["logInByKey"]>>;

/** Logs the person in without leaving the program; false: they did not, which was told. */
export async function logInHere(place: LoginPlace, config: ResolvedConfig, way: LoginWay): Promise<boolean> {
  const { driver, host } = place;
  const harness = await import("@unroll/harness");
  const outcome = await logIn(place, await harness.openLogin(config, host), way);
  if (outcome.type === "failed") tell({ driver }, outcome.message, "error");
  if (outcome.type !== "logged_in") return false;
  for (const notice of outcome.notices) tell({ driver }, notice);
  tell({ driver }, "Logged in.", "success");
  return true;
}

async function logIn(place: LoginPlace, login: Login, way: LoginWay): Promise<LoginOutcome> {
  const { driver, host } = place;
  switch (way) {
    case "key": {
      const key = await askKey(place);
      if (key === null) return { type: "cancelled" };
      return login.logInByKey(key, AbortSignal.any([place.signal, AbortSignal.timeout(loginLimits.patienceMs)]));
    }
    case "code":
      return waitFor(place, (signal) =>
        login.logInByDevice({
          showCode: async (shown) => tell({ driver }, describeLoginCode(shown)),
          signal,
        }),
      );
    case "browser":
      return waitFor(place, (signal) =>
        login.logInByBrowser({
          openPage: async (url) => tell({ driver }, describeLoginPage(url, await openPage(url, host))),
          signal,
        }),
      );
  }
}

/** Until the person has logged in, or wants another way. */
async function waitFor(
  { driver, signal }: LoginPlace,
  run: (signal: AbortSignal) => Promise<LoginOutcome>,
): Promise<LoginOutcome> {
  const [left, ended] = [new AbortController(), new AbortController()];
  const options = [{ value: "back", label: "another way", description: "this one is given up" }];
  const asking = driver
    .ask(
      createChooseFlow({ title: "Waiting until you have logged in", options }),
      AbortSignal.any([signal, ended.signal]),
    )
    .then(
      () => left.abort(),
      () => {},
    );
  const outcome = await run(AbortSignal.any([signal, left.signal, AbortSignal.timeout(loginLimits.patienceMs)]));
  ended.abort();
  await asking;
  return outcome;
}

/** Null: the person left. */
function askKey({ driver, signal }: LoginPlace): Promise<string | null> {
  const head = [
    { spans: [{ text: "The API key. It is kept for later runs (unroll logout forgets it)." }], wrap: "words" },
  ] as const;
  const field = { text: "", placeholder: "paste it here; only its length is shown", isSecret: true } as const;
  const options = [{ id: "key", key: null, label: "key", field }];
  return driver.ask(
    { choice: openChoice(head, options), next: (answer) => done(answer?.text?.trim() || null) },
    signal,
  );
}
