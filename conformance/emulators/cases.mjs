// One window of an emulator, and all that a person does in it: each case is "ok", or says what was seen.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startScriptedModel } from "../../packages/scripted-model/src/index.ts";
import { openEmulator } from "./open-emulator.mjs";
import { programs } from "./programs.mjs";

const pasted = Array.from({ length: 30 }, (_, index) => `pasted line ${index + 1}`);
const longLine = `wrapped ${Array.from({ length: 30 }, (_, index) => `word${index}`).join(" ")} end`;
const answer = `An answer.\n\n[unrolled](https://example.com/unrolled) is a link.\n\n\`\`\`\n${longLine}\n\`\`\`\n`;

/** Runs unroll in the emulator. Gives the outcomes by the name of the case. `home`: an empty folder. */
export async function runCases(name, { display, home, command, keep }) {
  const dir = join(home, "emulator");
  mkdirSync(dir);
  const opened = join(home, "opened");
  const files = writeHome({ home, opened, config: dir });
  const turn = { items: [{ text: answer }], delayMs: 1500, repeat: 9 };
  const model = await startScriptedModel({ script: { turns: [turn] }, allowViolations: true });
  const { argv, env } = programs.unroll({ home, url: `${model.url}/v1`, command });
  const begin = [argv[0], "-i", files.picture, "look at this"];
  let emulator = null;
  const outcomes = {};
  try {
    outcomes["keys after kill -9"] = await killed(name, { display, home, argv, env, model });
    const hears = name === "kitty" ? await listenToNotifications(env) : null;
    emulator = await openEmulator(name, { display, dir, argv: begin, env: { ...env, ...files.env, ...hears?.env }, cwd: home, opener: files.opener });
    const world = { emulator, model, home, hears, opened, keep, name };
    await until(() => emulator.title().then((title) => title === "unroll: done"), 20_000);
    for (const [title, run] of Object.entries(cases))
      outcomes[title] = await run(world).catch((error) => `ended: ${error.message.split("\n")[0]}`);
    hears?.close();
  } finally {
    await emulator?.close();
    await model.close().catch(() => {});
  }
  return outcomes;
}

const cases = {
  async title({ emulator }) {
    return expectSame(await emulator.title(), "unroll: done");
  },

  async picture({ emulator, home, keep, name }) {
    const file = join(keep ?? home, `${name}-picture.png`);
    await emulator.screenshot(file);
    const pixels = await emulator.countPixels(file, "#FF00FF");
    if (name === "kitty") return pixels > 1000 ? "ok" : `${pixels} pixels of it were seen`;
    return pixels === 0 ? "none, as documented" : `${pixels} pixels of it were seen`;
  },

  async "paste of 30 lines"({ emulator, model }) {
    const next = model.requests.length + 1;
    await emulator.paste(pasted.join("\n"));
    await wait(400);
    await emulator.type(" all");
    await emulator.press("Return");
    return expectSame(await readMessage(model, next), `${pasted.join("\n")} all`);
  },

  async "typed CJK"({ emulator, model }) {
    let outcome = "";
    // xdotool gives each character a key for a moment, and an emulator may look at its keys too late
    for (let tries = 0; tries < 3 && outcome !== "ok"; tries += 1) {
      const next = model.requests.length + 1;
      await emulator.type("日本語", 200);
      await emulator.press("Left");
      await emulator.type("x");
      await emulator.press("Return");
      outcome = expectSame(await readMessage(model, next), "日本x語");
    }
    return outcome;
  },

  async "a backslash before Enter"({ emulator, model }) {
    const next = model.requests.length + 1;
    await emulator.type("one\\");
    await emulator.press("Return");
    await emulator.type("two");
    await emulator.press("Return");
    return expectSame(await readMessage(model, next), "one\ntwo");
  },

  async "Shift+Enter"({ emulator, model, name }) {
    const next = model.requests.length + 1;
    await emulator.type("one");
    await emulator.press("shift+Return");
    await emulator.type("two");
    await emulator.press("Return");
    const message = await readMessage(model, next);
    return tellsShiftEnter.includes(name) ? expectSame(message, "one\ntwo") : `none: it sends "${message}"`;
  },

  async "a wrapped line is copied without breaks"({ emulator }) {
    const found = await findRow(emulator, "wrapped word0");
    return found === null ? "the row was not found" : expectSame(found.text.trim(), longLine);
  },

  async "a link is opened by a click"({ emulator, opened, home, keep, name }) {
    const found = await findRow(emulator, "is a link.");
    if (found === null) return "the row was not found";
    await emulator.clickLink(hasLinks[name] === "text" ? 160 : 20, found.y);
    await emulator.screenshot(join(keep ?? home, `${name}-link.png`));
    await until(() => existsSync(opened), 3000).catch(() => {});
    if (hasLinks[name] === "none") return existsSync(opened) ? "opened" : "none: it has no links";
    return expectSame(existsSync(opened) ? readFileSync(opened, "utf8").trim() : "nothing", "https://example.com/unrolled");
  },

  async "a notification"({ emulator, model, hears }) {
    await until(() => emulator.title().then((title) => title === "unroll: done"), 10_000);
    const next = model.requests.length + 1;
    await emulator.type("notify me");
    await emulator.press("Return");
    await emulator.leaveFocus();
    await readMessage(model, next);
    const isTold = async () => (hears === null ? emulator.isUrgent() : hears.heard().includes("An answer."));
    await until(isTold, 5000);
    return hears === null ? "ok, as urgency" : "ok, on the desktop's bus";
  },
};

const tellsShiftEnter = ["xterm", "kitty"];

/** xfce4-terminal finds addresses in the text instead, and the address is written behind the link. */
const hasLinks = { xterm: "none", "xfce4-terminal": "text", kitty: "osc8", alacritty: "osc8" };

export const caseNames = ["keys after kill -9", ...Object.keys(cases)];

/** A program that was killed leaves a shell in which keys and the focus are plain again. */
async function killed(name, { display, home, argv, env, model }) {
  const dir = join(home, "killed");
  mkdirSync(dir);
  const message = `to be killed in ${name}`;
  const emulator = await openEmulator(name, { display, dir, argv: ["sh", "-c", '"$0" "$@"; exec cat -v', argv[0], message], env, cwd: home });
  try {
    await until(() => emulator.title().then((title) => title === "unroll: done"), 20_000);
    model.requests.splice(0); // of a thread of its own
    execFileSync("pkill", ["-KILL", "-f", `node .*${message}`]);
    await wait(700);
    await emulator.press("shift+Return", "ctrl+Return", "x", "Return");
    await emulator.leaveFocus();
    await wait(300);
    const seen = (await emulator.read()).split("Killed").at(-1).split("\n").slice(1).join("\n").trim();
    return /\^\[/.test(seen) || !seen.includes("x") ? `seen: ${JSON.stringify(seen.slice(-80))}` : "ok";
  } finally {
    await emulator.close();
  }
}

function writeHome({ home, opened, config }) {
  const opener = join(home, "open-link");
  writeFileSync(opener, `#!/bin/sh\nprintf '%s\\n' "$1" > '${opened}'\n`);
  chmodSync(opener, 0o755);
  const file = join(home, "dot.png");
  execFileSync("convert", ["-size", "64x64", "xc:#FF00FF", file]);
  const applications = join(home, "data/applications");
  mkdirSync(applications, { recursive: true });
  writeFileSync(join(applications, "opener.desktop"), `[Desktop Entry]\nType=Application\nName=opener\nExec=${opener} %u\nMimeType=x-scheme-handler/https;\n`);
  writeFileSync(join(config, "mimeapps.list"), "[Default Applications]\nx-scheme-handler/https=opener.desktop\n");
  return { opener, picture: file, env: { XDG_DATA_HOME: join(home, "data") } };
}

/** A bus of its own, and the notifications on it. */
async function listenToNotifications(env) {
  const bus = spawn("dbus-daemon", ["--session", "--nofork", "--print-address"], { stdio: ["ignore", "pipe", "ignore"] });
  const address = await new Promise((resolve) => bus.stdout.once("data", (data) => resolve(String(data).trim())));
  const own = { ...process.env, ...env, DBUS_SESSION_BUS_ADDRESS: address };
  const monitor = spawn("dbus-monitor", ["--address", address, "interface='org.freedesktop.Notifications'"], { env: own, stdio: ["ignore", "pipe", "ignore"] });
  let heard = "";
  monitor.stdout.on("data", (data) => (heard += data));
  return { env: { DBUS_SESSION_BUS_ADDRESS: address }, heard: () => heard, close: () => (monitor.kill(), bus.kill()) };
}

/** The text of the user's last message in the request with this number, from 1. */
async function readMessage(model, number) {
  await until(() => model.requests.length >= number, 10_000);
  const messages = model.requests[number - 1].input.filter(({ role }) => role === "user");
  const text = messages.at(-1).content.map((part) => part.text ?? "").join("");
  await wait(2500); // its answer
  return text;
}

/** Clicks three times on each row, from the last one up, until what is selected has the text. */
async function findRow(emulator, text) {
  const { height } = await emulator.size();
  for (let y = height - 6; y > 0; y -= 9) {
    const selected = await emulator.selectRow(60, y);
    if (selected.includes(text)) return { y, text: selected };
  }
  return null;
}

function expectSame(seen, expected) {
  if (seen === expected) return "ok";
  const same = [...seen].findIndex((character, index) => expected[index] !== character);
  const at = same < 0 ? seen.length : same;
  return `from character ${at} on: ${JSON.stringify(seen.slice(at, at + 60))}, not ${JSON.stringify(expected.slice(at, at + 60))}`;
}

async function until(isSo, ms) {
  for (const began = Date.now(); Date.now() - began < ms; await wait(50)) if (await isSo()) return;
  throw new Error(`waited ${ms} ms in vain`);
}
