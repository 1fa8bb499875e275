import type { UserInput } from "@unroll/protocol";
import type { Submission } from "@unroll/screen";
import { describeThrown } from "@unroll/text";
import { readPictures } from "../input/read-pictures.ts";
import { afterTurn } from "./after-turn.ts";
import { runWork } from "./run-work.ts";
import { showSentPictures } from "./show-pictures.ts";
import type { Talk } from "./talk.ts";
import { tell } from "./tell.ts";

export type Message = Pick<Submission, "text" | "images">;

/** Says something to the model: a turn of its own. */
export async function sendMessage(talk: Talk, message: Message): Promise<void> {
  const input = await readMessage(talk, message);
  if (input === null) return;
  show(talk, message);
  showSentPictures(talk, input);
  const { thread } = talk.conversation;
  const startedAt = talk.clock.elapsed();
  const outcome = await runWork(talk, (signal) => thread.run(input, { signal }));
  await afterTurn(talk, outcome, talk.clock.elapsed() - startedAt);
}

/** Says something that goes into the next request of the turn that runs. */
export async function steer(talk: Talk, message: Message): Promise<void> {
  try {
    const input = await readMessage(talk, message);
    if (input === null) return;
    await talk.conversation.thread.send(input);
    show(talk, message);
    showSentPictures(talk, input);
  } catch (error) {
    tell(talk, `Not sent: ${describeThrown(error)}`, "error");
  }
}

function show({ desk }: Talk, { text, images }: Message): void {
  desk.surface.transcript?.add({ type: "person", text, images: images.length });
  desk.surface.loop.request();
}

/** Null: a picture cannot be read, which was told. */
async function readMessage(talk: Talk, { text, images }: Message): Promise<UserInput | null> {
  const { cwd } = talk.conversation.config;
  const read = await readPictures(images, { cwd, homeDirectory: talk.host.homeDirectory });
  if (read.type === "unreadable") {
    tell(talk, `Not sent: ${read.message}`, "error");
    return null;
  }
  const wrapped = talk.plan.wrap(text);
  return read.parts.length === 0 ? wrapped : [...read.parts, { type: "text", text: wrapped }];
}
