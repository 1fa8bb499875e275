import { openPrograms, type ProgramPlaces, spawnProgram } from "@unroll/process-tree";
import { pluralize } from "@unroll/text";

export interface ClipboardOptions extends ProgramPlaces {
  readonly platform: string;
  /** Sends a control sequence to the terminal; null: it takes none. */
  readonly send: ((sequence: string) => void) | null;
}

/** Base64 of it; terminals take no more, and a cut text is worse than none. */
const maxSequenceBytes = 74_000;
const toolMs = 3000;

interface Tool {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * Puts a text where it can be pasted: over ssh by the terminal (OSC 52), else by a tool of the system, with the terminal as
 * the last way. Says in a sentence how; a terminal never says whether it took it.
 */
export async function copyText(text: string, options: ClipboardOptions): Promise<string> {
  const size = pluralize(text.length, "character");
  const isRemote = Boolean(options.env["SSH_TTY"] || options.env["SSH_CONNECTION"]);
  for (const tool of isRemote ? [] : listTools(options)) {
    if (await pipe(tool, text, options)) return `Copied ${size} with ${tool.program}.`;
  }
  if (options.env["TMUX"]) {
    const tmux = { program: "tmux", args: ["load-buffer", "-w", "-"] };
    if (await pipe(tmux, text, options)) return `Copied ${size} to tmux, and sent them to the terminal.`;
  }
  if (options.send === null) return "Not copied: there is no clipboard tool here. /export saves the thread as a file.";
  const encoded = Buffer.from(text).toString("base64");
  if (encoded.length > maxSequenceBytes)
    return `Not copied: ${size} are too many for the terminal. /export saves the thread as a file.`;
  options.send(`\u001b]52;c;${encoded}\u0007`);
  return `Sent ${size} to the terminal (OSC 52), which may ignore them.`;
}

function listTools({ env, platform }: ClipboardOptions): readonly Tool[] {
  if (platform === "darwin") return [{ program: "pbcopy", args: [] }];
  const wayland = env["WAYLAND_DISPLAY"] ? [{ program: "wl-copy", args: [] }] : [];
  const x11 = env["DISPLAY"]
    ? [
        { program: "xclip", args: ["-selection", "clipboard"] },
        { program: "xsel", args: ["--clipboard", "--input"] },
      ]
    : [];
  const windows = env["WSL_DISTRO_NAME"] ? [{ program: "clip.exe", args: [] }] : [];
  return [...wayland, ...x11, ...windows];
}

/** Whether the tool took it. */
function pipe({ program, args }: Tool, text: string, places: ProgramPlaces): Promise<boolean> {
  const { find, environment } = openPrograms(places);
  const tool = find(program);
  if (tool.type === "missing") return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawnProgram(tool.file, args, {
      stdio: ["pipe", "ignore", "ignore"],
      env: environment,
      timeout: toolMs,
    });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
    child.stdin.on("error", () => {});
    child.stdin.end(text);
  });
}
