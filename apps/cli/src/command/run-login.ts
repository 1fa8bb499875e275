import type { Auth, LoginOutcome } from "@unroll/auth";
import { untilAborted } from "@unroll/flow";
import { openLogin } from "@unroll/harness";
import {
  describeLoginCode,
  describeLoginPage,
  loginLimits,
  openPage,
  type ProcessIo,
  ProgramError,
} from "@unroll/program";
import { describeLogin } from "./describe-login.ts";
import { type ConfigRun, runConfigCommand } from "./run-config-command.ts";

export interface LoginFlags {
  readonly config?: readonly string[];
  readonly deviceAuth?: boolean;
  readonly withApiKey?: boolean;
}

/** More than any key has. */
const maxKeyCharacters = 64 * 1024;

/** Returns the exit code: 0 logged in, 1 not, 2 the command line, the config or what is kept is wrong. */
export function runLogin(flags: LoginFlags, io: ProcessIo): Promise<number> {
  return runConfigCommand(flags, io, async (run) => {
    const { method } = run.config.login;
    if (method !== null && (method === "api") !== (flags.withApiKey === true)) {
      const way = method === "api" ? "unroll login --with-api-key" : "unroll login, with ChatGPT";
      throw new ProgramError("usage", `forced_login_method is "${method}", so this is no way to log in: ${way}.`);
    }
    const auth = await openLogin(run.config, run.host);
    const outcome = await logIn(auth, flags, { ...run, io });
    if (outcome.type === "failed") run.complain(outcome.message);
    if (outcome.type === "cancelled") run.complain("Nobody logged in, and nothing has changed.");
    if (outcome.type !== "logged_in") return 1;
    for (const notice of outcome.notices) run.complain(notice);
    const status = await auth.status();
    if (status !== null) run.print(describeLogin(status));
    return 0;
  });
}

type LoginRun = ConfigRun & { readonly io: ProcessIo };

async function logIn(auth: Auth, flags: LoginFlags, run: LoginRun): Promise<LoginOutcome> {
  const { io, print } = run;
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(loginLimits.patienceMs)]);
  if (flags.withApiKey) {
    const key = await readKey(io, signal);
    return key === null ? { type: "cancelled" } : auth.logInByKey(key, signal);
  }
  if (flags.deviceAuth) {
    return auth.logInByDevice({ showCode: async (shown) => print(describeLoginCode(shown)), signal });
  }
  return auth.logInByBrowser({
    async openPage(url) {
      print(describeLoginPage(url, await openPage(url, io), " (on another machine: unroll login --device-auth)"));
    },
    signal,
  });
}

/** Null: stopped before stdin ended. A key in the command line could be seen by every process. */
async function readKey({ stdin }: ProcessIo, signal: AbortSignal): Promise<string | null> {
  if (stdin.kind === "terminal") {
    const message = "the key is read from stdin: printenv OPENAI_API_KEY | unroll login --with-api-key";
    throw new ProgramError("usage", `--with-api-key: ${message}`);
  }
  return untilAborted(readStart(stdin.stream), signal);
}

async function readStart(stream: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const piece of stream) {
    text += String(piece);
    if (text.length > maxKeyCharacters) throw new ProgramError("input", "stdin holds more than a key.");
  }
  return text.trim();
}
