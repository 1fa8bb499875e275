import type { UserInput } from "@unroll/protocol";
import type { Submission } from "@unroll/screen";
import { describeThrown } from "@unroll/text";
import { readPictures } from "../device/read-pictures.ts";
import { afterTurn } from "./after-turn.ts";
import { runWork } from "./run-work.ts";
import { showSentPictures } from "./show-pictures.ts";
import { type App, tell } from "./app.ts";

export type Message = Pick<Submission, "text" | "images">;

/** Says something to the model: a turn of its own. */
export async function sendMessage(app: App, message: Message): Promise<void> {
  const input = await readMessage(app, message);
  if (input === null) return;
  show(app, message);
  showSentPictures(app.driver, input);
  const { thread } = app.conversation;
  const startedAt = app.clock.elapsed();
  const outcome = await runWork(app, (signal) => thread.run(input, { signal }));
  await afterTurn(app, outcome, app.clock.elapsed() - startedAt);
}

/** Says something that goes into the next request of the turn that runs. */
export async function steer(app: App, message: Message): Promise<void> {
  try {
    const input = await readMessage(app, message);
    if (input === null) return;
    await app.conversation.thread.send(input);
    show(app, message);
    showSentPictures(app.driver, input);
  } catch (error) {
    tell(app, `Not sent: ${describeThrown(error)}`, "error");
  }
}

function show({ driver }: App, { text, images }: Message): void {
  driver.add({ type: "person", text, images: images.length });
}

/** Null: a picture cannot be read, which was told. */
async function readMessage(app: App, { text, images }: Message): Promise<UserInput | null> {
  const { cwd } = app.conversation.config;
  const read = await readPictures(images, { cwd, homeDirectory: app.host.homeDirectory });
  if (read.type === "unreadable") {
    tell(app, `Not sent: ${read.message}`, "error");
    return null;
  }
  const { added } = app.plan;
  const said = text.replace(/^\s(?=[/!])/, ""); // which only says that it is no command
  return read.parts.length + added.length === 0 ? said : [...read.parts, { type: "text", text: said }, ...added];
}
