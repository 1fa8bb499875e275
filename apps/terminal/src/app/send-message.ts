import { resolve } from "node:path";
import type { UserInput, UserInputPart } from "@unroll/protocol";
import type { Draft } from "@unroll/screen";
import { describeThrown } from "@unroll/text";
import { afterTurn } from "./after-turn.ts";
import { runTurn } from "./run-work.ts";
import { toMessageText } from "../command/read-command.ts";
import { type App, tell } from "./app.ts";

/** Sends a message as a turn of its own. If no turn starts, it is back in your line. */
export async function sendMessage(app: App, message: Draft): Promise<void> {
  const input = await readMessage(app, message);
  if (input === null) return;
  const sent = { isStarted: false };
  app.driver.expectInput(message);
  const startedAt = app.clock.elapsed();
  const outcome = await runTurn(app, async (thread) => {
    const turn = await thread.run(input);
    sent.isStarted = true;
    return turn;
  });
  if (!sent.isStarted) app.driver.takeBack(1);
  await afterTurn(app, outcome, app.clock.elapsed() - startedAt);
}

/** If the thread's last process ended while you were asked about a call, you are asked again, and the turn continues. */
export async function askAgain(app: App): Promise<void> {
  const { current } = app.threads;
  if (current.waitingCalls.length === 0) return;
  tell(app, "The thread ended while it waited for your answer. It asks again.");
  const startedAt = app.clock.elapsed();
  const outcome = await runTurn(app, (thread) => thread.run([]));
  await afterTurn(app, outcome, app.clock.elapsed() - startedAt);
}

/** Sends a message into the next request of the running turn. Its `input.received` shows it. */
export function steer(app: App, message: Draft): Promise<void> {
  const sent = deliver(app, message);
  const [work] = app.works;
  if (work !== undefined) work.sending = [...work.sending, sent];
  return sent;
}

async function deliver(app: App, message: Draft): Promise<void> {
  const input = await readMessage(app, message);
  if (input === null) return;
  app.driver.expectInput(message);
  try {
    await app.threads.current.send(input);
  } catch (error) {
    app.driver.takeBack(1);
    tell(app, `Not sent: ${describeThrown(error)}`, "error");
  }
}

/** Stops the latest work. If that is the turn or command, messages that no request has had are back in your line. */
export async function stopWork({ works, threads, driver }: App): Promise<void> {
  const latest = works.findLast((work) => !work.signal.aborted);
  if (latest === undefined) return;
  latest.stop();
  if (latest !== works[0]) return;
  latest.returned = Promise.allSettled(latest.sending) // a picture may still be read
    .then(() => threads.current.unsend())
    .then((count) => driver.takeBack(count));
  await latest.returned;
}

/** Null: a picture cannot be read. An error was shown, and the message is back in your line, where you can remove the picture. */
async function readMessage(app: App, draft: Draft): Promise<UserInput | null> {
  const { text, images } = draft;
  const { config } = app.threads.current;
  const parts: UserInputPart[] = [];
  for (const source of images) {
    const { readImageFile } = await import("@unroll/harness");
    const read = await readImageFile(resolve(config.cwd, source.replace(/^~(?=\/)/, app.host.homeDirectory)), config);
    if ("error" in read) {
      tell(app, `Not sent: ${read.error}`, "error");
      app.driver.expectInput(app.driver.live === null ? { text, images: [] } : draft); // a line has no label to remove
      app.driver.takeBack(1);
      return null;
    }
    parts.push({ type: "image", dataUrl: read.dataUrl });
  }
  const message = toMessageText(text);
  return parts.length === 0 ? message : [...parts, { type: "text", text: message }];
}
