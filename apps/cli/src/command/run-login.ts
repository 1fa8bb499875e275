import { untilAborted } from "@unroll/flow";
import { openPage, type ProcessIo, ProgramError } from "@unroll/program";
import { describeLoginCode, describeLoginPage, explainLoginFault } from "@unroll/report";
import { logIn, type LoginWay, readLogin } from "@unroll/use-cases/login";
import { describeLogin } from "./describe-login.ts";
import { type ConfigRun, runConfigCommand } from "../run-config-command.ts";

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
    const end = await logIn(run, toWay(flags, run, io));
    if (end.type === "forbidden") throw new ProgramError("usage", explainLoginFault(end));
    if (end.type !== "logged_in") {
      run.complain(explainLoginFault(end));
      return 1;
    }
    for (const notice of end.notices) run.complain(notice);
    const { status } = await readLogin(run.config, run.host);
    if (status !== null) run.print(describeLogin(status));
    return 0;
  });
}

function toWay(flags: LoginFlags, { print }: ConfigRun, io: ProcessIo): LoginWay {
  if (flags.withApiKey) return { type: "key", readKey: (signal) => readKey(io, signal) };
  if (flags.deviceAuth) return { type: "code", showCode: async (shown) => print(describeLoginCode(shown)) };
  const otherwise = " (on another machine: unroll login --device-auth)";
  return {
    type: "browser",
    openPage: async (url) => print(describeLoginPage(url, await openPage(url, io), otherwise)),
  };
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
