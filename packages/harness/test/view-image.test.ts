import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

const view = (path: string): object => ({ call: "view_image", arguments: { path } });

test("the model sees images, and none that commands may not read", async () => {
  const turns = [{ items: [view("a.png"), view("secret.png")] }, { items: [{ text: "Done." }] }] as never;
  await using world = await openThreadWorld({ script: { turns } });
  const image = await sharp({ create: { width: 4, height: 4, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  for (const name of ["a.png", "secret.png"]) await writeFile(join(world.work, name), image);
  const config = ["sandbox_mode=read-only", 'sandbox.deny_read=["secret.png"]'];
  await using thread = await world.openThread({ config });
  await runToEnd(thread, "Look");
  const path = join(world.work, "a.png");
  expect(world.model.requests.at(-1)?.input.slice(-3)).toEqual([
    expect.objectContaining({ output: `Loaded ${path}. It is in a message after the tool outputs.` }),
    expect.objectContaining({
      output: `The image was not loaded: ${join(world.work, "secret.png")} may not be read: a policy denies it.`,
    }),
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: `The image ${path}:` },
        { type: "input_image", image_url: `data:image/png;base64,${image.toString("base64")}` },
      ],
    },
  ]);
});
