import type { JsonRpcId } from "@agentclientprotocol/sdk/unstable";
import { openThreadHost, runServer } from "@unroll/thread-host";
import type { ProcessIo, ProgramFlags } from "@unroll/program";
import { toShownText } from "@unroll/text";
import { createAgent } from "./create-agent.ts";
import { createLogin } from "./session/login.ts";
import type { SessionClient } from "./session/open-session.ts";
import { createSessions } from "./session/sessions.ts";
import { openStdio } from "./wire/open-stdio.ts";
import { refuseLimits } from "./wire/refuse-limits.ts";
import { watchStream } from "./wire/watch-stream.ts";

/** The options of the `unroll acp` command line, and the services of its program. */
export interface AcpOptions extends ProgramFlags {
  /** The version of our release. */
  readonly version: string;
  /** Opens a page in the person's browser; false: there is none. */
  readonly openPage: (url: string) => Promise<boolean>;
}

/** As `runAcp` says. */
export function serve(options: AcpOptions, io: ProcessIo): Promise<number> {
  const { version, openPage, ...flags } = options;
  const complain = (text: string): void => void io.stderr.stream.write(`unroll: ${toShownText(text)}\n`);
  return runServer(io, async ({ signal }) => {
    await using threadHost = openThreadHost<SessionClient>({ io, flags, name: "unroll_acp", signal });
    const sessions = createSessions(threadHost);
    const stream = watchStream(refuseLimits(openStdio(io), complain), () => sessions.cancelAll());
    const login = createLogin({ threadHost, openPage });
    const answered = (id: JsonRpcId): Promise<void> => stream.answered(id);
    const connection = createAgent({ threadHost, io, version, login, sessions, answered, complain }).connect(stream);
    signal.addEventListener("abort", () => connection.close(), { once: true });
    await connection.closed;
  });
}
