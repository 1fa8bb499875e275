import { resolve } from "node:path";
import type { UserInput, UserInputPart } from "@unroll/protocol";
import type { Submission } from "@unroll/screen";
import { describeThrown } from "@unroll/text";
import { afterTurn } from "./after-turn.ts";
import { runTurn } from "./run-work.ts";
import { showSentPictures } from "./show-pictures.ts";
import { type App, tell } from "./app.ts";

export type Message = Pick<Submission, "text" | "images">;

/** Sends a message as a turn of its own. */
export async function sendMessage(app: App, message: Message): Promise<void> {
  const input = await readMessage(app, message);
  if (input === null) return;
  show(app, message);
  showSentPictures(app.driver, input);
  const startedAt = app.clock.elapsed();
  const outcome = await runTurn(app, (thread) => thread.run(input));
  await afterTurn(app, outcome, app.clock.elapsed() - startedAt);
}

/** Sends a message into the next request of the running turn. */
export async function steer(app: App, message: Message): Promise<void> {
  try {
    const input = await readMessage(app, message);
    if (input === null) return;
    await app.threads.current.send(input);
    show(app, message);
    showSentPictures(app.driver, input);
  } catch (error) {
    tell(app, `Not sent: ${describeThrown(error)}`, "error");
  }
}

function show({ driver }: App, { text, images }: Message): void {
  driver.add({ type: "person", text, images: images.length });
}

/** Null: a picture cannot be read; an error was shown. */
async function readMessage(app: App, { text, images }: Message): Promise<UserInput | null> {
  const { config } = app.threads.current;
  const parts: UserInputPart[] = [];
  for (const source of images) {
    const { readImageFile } = await import("@unroll/harness");
    const read = await readImageFile(resolve(config.cwd, source.replace(/^~(?=\/)/, app.host.homeDirectory)), config);
    if ("error" in read) {
      tell(app, `Not sent: ${read.error}`, "error");
      return null;
    }
    parts.push({ type: "image", dataUrl: read.dataUrl });
  }
  const message = text.replace(/^\s(?=[/!])/, ""); // a blank in front only says that this is no command
  return parts.length === 0 ? message : [...parts, { type: "text", text: message }];
}
