// A long answer streamed into an emulator while its window changes, and the count of its markers in what the emulator has then.
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startScriptedModel } from "../../packages/scripted-model/src/index.ts";
import { countMarkers, createMarkedAnswer } from "./marked-answer.mjs";
import { openEmulator } from "./open-emulator.mjs";
import { programs } from "./programs.mjs";

const answer = createMarkedAnswer();
/** In pixels; behind each is a pause. */
const widths = [640, 560, 480, 400, 340, 300, 380, 460, 540, 620, 700, 580, 500, 420, 360, 300, 440, 520, 600, 660];

/** `home`: an empty folder. `program`: of `programs`. `pause`: between two sizes, in ms. `keep`: a folder for what was shown, or null. */
export async function streamInto(emulatorName, { program, command, display, home, pause, keep }) {
  const dir = join(home, "emulator");
  mkdirSync(dir);
  const script = { turns: [{ items: [{ text: answer.markdown }], chunkBytes: 40, eventDelayMs: 22, repeat: 9 }] };
  const model = await startScriptedModel({ script, allowViolations: true, checks: { prefix: false, calls: false, fields: false } });
  const proxy = await openProxy(model.url);
  let emulator = null;
  try {
    const { argv, env } = programs[program]({ home, url: proxy.url, markdown: answer.markdown, command });
    emulator = await openEmulator(emulatorName, { display, dir, argv, env, cwd: home });
    const full = await emulator.size();
    const began = Date.now();
    while (program !== "cat" && model.requests.length === 0 && Date.now() - began < 20_000) await wait(50);
    await wait(600);
    await changeSizes(emulator, full, pause);
    if (program === "cat") await wait(Math.max(0, 10_000 - (Date.now() - began)));
    else await proxy.answered;
    await wait(1500);
    if (keep !== null) await emulator.screenshot(join(keep, `${emulatorName}-${program}.png`));
    const shown = await emulator.read();
    if (keep !== null) writeFileSync(join(keep, `${emulatorName}-${program}.txt`), shown);
    return countMarkers(shown, answer.expected);
  } finally {
    await emulator?.close();
    await model.close().catch(() => {});
    proxy.close();
  }
}

/** Passes requests on to the model, to know when an answer was sent to its end. */
async function openProxy(target) {
  const { promise: answered, resolve } = Promise.withResolvers();
  const server = createServer((request, response) => {
    const url = new URL(request.url.replace(/^\/v1/, ""), "http://none");
    const onward = httpRequest(`${target}${url.pathname}${url.search}`, { method: request.method, headers: request.headers }, (from) => {
      response.writeHead(from.statusCode, from.headers);
      from.pipe(response);
      if (request.url.endsWith("/responses")) from.on("end", resolve);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${server.address().port}/v1`, answered: Promise.race([answered, wait(40_000)]), close: () => (server.closeAllConnections(), server.close()) };
}

async function changeSizes(emulator, full, pause) {
  const rowHeight = Math.round(full.height / 35);
  for (const [index, width] of widths.entries()) {
    const height = index >= 8 && index < 13 ? rowHeight * 11 : full.height;
    await emulator.resize(width, height);
    await wait(pause);
  }
  await emulator.resize(full.width, full.height);
}
