import { join } from "node:path";
import { describeThrown } from "@unroll/text";
import type { TerminalCommand } from "../terminal-command.ts";

export const vimCommand: TerminalCommand = {
  name: "vim",
  description: "switch Vim keys in your line on or off, and remember it",
  key: "global.toggle_vim_mode",
  argument: null,
  timing: "always",
  isHarmless: true,
  async run({ thread, hasVim, setVim, tell, note }) {
    if (hasVim === null) return tell("Vim keys need the painted terminal: start unroll without --plain.");
    const isOn = !hasVim;
    setVim(isOn);
    const { setConfigKey } = await import("@unroll/config/upkeep");
    const effect = isOn ? "Vim keys are on: Esc leaves insert mode" : "Vim keys are off";
    try {
      await setConfigKey(join(thread.config.codexHome, "config.toml"), "tui.vim_mode_default", String(isOn));
      note(`${effect}.`);
    } catch (error) {
      tell(`${effect}, for this run only: ${describeThrown(error)}`);
    }
  },
};
