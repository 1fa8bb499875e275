// Real terminal emulators in an X server without a screen: started, resized, typed into and read back.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Starts an X server on a display number that it finds itself. */
export async function openDisplay() {
  const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp", "-noreset"], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const [number] = await once(createInterface({ input: server.stdio[3] }), "line");
  return {
    name: `:${number}`,
    async close() {
      server.kill();
      if (server.exitCode === null) await once(server, "exit");
    },
  };
}

/** How each emulator is started and read. `read` gives its scrollback and its screen as text. */
const kinds = {
  xterm: {
    program: "xterm",
    version: ["-version"],
    start(dir, argv) {
      const resources = [
        "XTerm*VT100.translations: #override <Key>F12: print-everything()",
        `XTerm*VT100.printerCommand: cat > ${join(dir, "printed")}`,
        "XTerm*VT100.printAttributes: 0",
        "XTerm*VT100.saveLines: 20000",
        "XTerm*VT100.utf8: 1",
        "XTerm*VT100.metaSendsEscape: true",
        "XTerm*VT100.bellIsUrgent: true",
      ];
      return ["-geometry", "90x35", "-fa", "DejaVu Sans Mono", "-fs", "10", ...resources.flatMap((each) => ["-xrm", each]), "-e", ...argv];
    },
    async read(emulator, dir) {
      const file = join(dir, "printed");
      rmSync(file, { force: true });
      await emulator.press("F12");
      return settled(() => readFileSync(file, "utf8"));
    },
  },
  "xfce4-terminal": {
    program: "xfce4-terminal",
    version: ["--version"],
    start(dir, argv) {
      const config = join(dir, "xfce4/terminal");
      mkdirSync(config, { recursive: true });
      const accelerators = { "select-all": "F11", copy: "F12" };
      const lines = Object.entries(accelerators).map(([action, key]) => `(gtk_accel_path "<Actions>/terminal-window/${action}" "${key}")`);
      writeFileSync(join(config, "accels.scm"), `${lines.join("\n")}\n`);
      writeFileSync(join(config, "terminalrc"), "[Configuration]\nTitleMode=TERMINAL_TITLE_REPLACE\nMiscMenubarDefault=FALSE\nScrollingUnlimited=FALSE\nScrollingLines=20000\nMiscShowUnsafePasteDialog=FALSE\nMiscBellUrgent=TRUE\nFontName=DejaVu Sans Mono 10\nFontUseSystem=FALSE\n");
      return ["--disable-server", "--geometry", "90x35", "-x", ...argv];
    },
    // VTE 0.70 selects what its window shows, so the window is made as high as its scrollback, while the program stands still
    async read(emulator) {
      const { width } = await emulator.size();
      await emulator.stopProgram();
      await emulator.resize(width, 16_000);
      await wait(800);
      await emulator.press("F11");
      await emulator.press("F12");
      return emulator.clipboard();
    },
  },
  kitty: {
    program: "kitty",
    version: ["--version"],
    start(dir, argv, opener) {
      const options = [...(opener ? [`open_url_with=${opener}`] : []), "allow_remote_control=yes", "scrollback_lines=20000", "initial_window_width=90c", "initial_window_height=35c", "remember_window_size=no", "font_size=10", "update_check_interval=0", "confirm_os_window_close=0", "shell_integration=disabled"];
      return ["--config", "NONE", "--listen-on", `unix:${join(dir, "socket")}`, ...options.flatMap((each) => ["-o", each]), ...argv];
    },
    read: async (_, dir) => (await run("kitty", ["@", "--to", `unix:${join(dir, "socket")}`, "get-text", "--extent", "all"], { maxBuffer: 1e8 })).stdout,
  },
  alacritty: {
    program: "alacritty",
    version: ["--version"],
    start(dir, argv, opener) {
      const file = join(dir, "alacritty.yml");
      const hints = opener ? `hints: { enabled: [{ regex: 'none://none', hyperlinks: true, command: "${opener}", mouse: { enabled: true } }] }\n` : "";
      writeFileSync(file, `scrolling: { history: 20000 }\nwindow: { dimensions: { columns: 90, lines: 35 } }\nfont: { size: 10 }\n${hints}`);
      return ["--config-file", file, "-e", ...argv];
    },
    async read(emulator) {
      await emulator.press("ctrl+shift+space", "g", "v", "shift+g", "shift+l", "shift+4", "y");
      return emulator.clipboard();
    },
  },
};

export const emulatorNames = Object.keys(kinds);

const tools = { Xvfb: ["-version"], xdotool: ["version"], xclip: ["-version"], xprop: ["-version"], convert: ["-version"], import: ["-version"], "dbus-daemon": ["--version"] };

/** The tools that are missing. */
export async function findTools() {
  const all = await Promise.all(Object.entries(tools).map(async ([tool, args]) => [tool, await run(tool, args).then(() => true, ({ code }) => code !== "ENOENT")]));
  return all.filter(([, isThere]) => !isThere).map(([tool]) => tool);
}

/** The version of an emulator, or null where it is not installed. */
export async function findEmulator(name) {
  const { program, version } = kinds[name];
  try {
    const { stdout, stderr } = await run(program, version, { env: { ...process.env, DISPLAY: "" } });
    return (stdout || stderr).match(/\d[\d.]*\d/)?.[0] ?? "?";
  } catch {
    return null;
  }
}

/** Opens a window of the emulator with a command in it. `dir`: its own empty folder. */
export async function openEmulator(name, { display, dir, argv, env, cwd, opener = null }) {
  const kind = kinds[name];
  const own = { ...process.env, ...env, DISPLAY: display.name, XDG_CONFIG_HOME: dir, XDG_RUNTIME_DIR: dir, LIBGL_ALWAYS_SOFTWARE: "1", NO_AT_BRIDGE: "1", WINIT_X11_SCALE_FACTOR: "1", WINIT_UNIX_BACKEND: "x11" };
  for (const key of ["TMUX", "TERM_PROGRAM", "COLORTERM", "VTE_VERSION", "CI"]) delete own[key];
  const child = spawn(kind.program, kind.start(dir, argv, opener), { env: own, cwd, stdio: ["ignore", "ignore", "pipe"] });
  let complaints = "";
  child.stderr.on("data", (data) => (complaints += data));
  const x = async (...args) => (await run("xdotool", args, { env: own })).stdout.trim();
  const window = await findWindow(x, child).catch((error) => {
    child.kill("SIGKILL");
    throw new Error(`${name} opened no window: ${error.message}\n${complaints}`);
  });
  await x("windowmove", window, "0", "0", "windowfocus", window);
  await wait(200);
  const emulator = {
    child,
    resize: (width, height) => x("windowsize", window, String(width), String(height)),
    async size() {
      const found = Object.fromEntries((await x("getwindowgeometry", "--shell", window)).split("\n").map((line) => line.split("=")));
      return { width: Number(found.WIDTH), height: Number(found.HEIGHT) };
    },
    press: (...keys) => x("windowfocus", window, "key", "--delay", "60", "--clearmodifiers", ...keys),
    type: (text, delay = 12) => x("windowfocus", window, "type", "--delay", String(delay), text),
    /** Puts text into the X selections, as another program would. */
    async setClipboard(text, selection = "clipboard") {
      const owner = spawn("xclip", ["-selection", selection, "-i"], { env: own, stdio: ["pipe", "ignore", "ignore"] });
      owner.stdin.end(text);
      await once(owner, "exit");
    },
    clipboard: () => settled(async () => (await run("xclip", ["-selection", "clipboard", "-o"], { env: own, maxBuffer: 1e8 })).stdout),
    /** Stops the program in the window as ^Z in another window would; the emulator itself still works. */
    async stopProgram() {
      const { stdout } = await run("pgrep", ["-P", String(child.pid)]);
      for (const session of stdout.trim().split("\n")) await run("pkill", ["-STOP", "-s", session]).catch(() => {});
    },
    /** Pastes the text by the emulator's own key. */
    async paste(text) {
      await emulator.setClipboard(text, name === "xterm" ? "primary" : "clipboard");
      await emulator.press(name === "xterm" ? "shift+Insert" : "ctrl+shift+v");
    },
    /** Clicks three times; gives what is selected then. */
    async selectRow(left, top) {
      await emulator.setClipboard("nothing", "primary");
      await x("mousemove", "--window", window, String(left), String(top), "click", "--repeat", "3", "--delay", "40", "1");
      await wait(350); // longer than the time in which clicks are counted
      return (await run("xclip", ["-selection", "primary", "-o"], { env: own, timeout: 2000 }).catch(() => ({ stdout: "" }))).stdout;
    },
    /** The first click ends a selection, and some emulators open nothing by it. */
    async clickLink(left, top) {
      await x("mousemove", "--window", window, "400", String(top), "click", "1");
      await wait(600);
      await x("mousemove", "--window", window, String(left), String(top));
      await wait(200);
      await x(...(name === "xfce4-terminal" ? ["keydown", "ctrl", "click", "1", "keyup", "ctrl"] : ["click", "1"]));
    },
    /** The pointer leaves, too: GTK has a window for focused while the pointer is in it. */
    async leaveFocus() {
      const root = await x("search", "--maxdepth", "0", "--class", ".*").catch(() => "");
      await x("mousemove", "1390", "990", "windowfocus", root.split("\n")[0] || "0");
    },
    isUrgent: async () => (await run("xprop", ["-id", window, "WM_HINTS"], { env: own })).stdout.includes("urgency"),
    async countPixels(file, color) {
      const { stdout } = await run("convert", [file, "-fill", "black", "+opaque", color, "-fill", "white", "-opaque", color, "-format", "%[fx:round(mean*w*h)]", "info:"]);
      return Number(stdout);
    },
    title: () => x("getwindowname", window),
    read: () => kind.read(emulator, dir),
    screenshot: (file) => run("import", ["-window", window, file], { env: own }),
    async close() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
  return emulator;
}

async function findWindow(x, child) {
  for (let tries = 0; tries < 150; tries += 1) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    // without a window manager the only visible window of some size is the emulator's
    const ids = (await x("search", "--onlyvisible", "--name", ".*").catch(() => "")).split("\n").filter((id) => id !== "");
    for (const id of ids) {
      const geometry = await x("getwindowgeometry", "--shell", id).catch(() => "");
      const width = Number(/WIDTH=(\d+)/.exec(geometry)?.[1] ?? 0);
      if (width > 200 && width < 1400) return id;
    }
    await wait(100);
  }
  throw new Error("none in 15 s");
}

/** Reads until two readings are the same and not empty. */
async function settled(read) {
  let last = "";
  for (let tries = 0; tries < 60; tries += 1) {
    await wait(100);
    const text = await Promise.resolve().then(read).catch(() => "");
    if (text !== "" && text === last) return text;
    last = text;
  }
  return last;
}
