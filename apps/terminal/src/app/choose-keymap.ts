import { ConfigError, type ResolvedConfig } from "@unroll/config";
import { actionNames, createKeymap } from "@unroll/screen";
import type { Driver } from "../driver.ts";
import { tell } from "./app.ts";

type KeymapConfig = Pick<ResolvedConfig, "terminal" | "origins">;

/**
 * Gives the driver the keys of `[tui.keymap]`, and warns about actions that only the Codex CLI has. Throws `ConfigError`
 * (`value_invalid`) at the first binding that cannot be used.
 */
export function chooseKeymap(driver: Driver, { terminal, origins }: KeymapConfig): void {
  const bindings = Object.entries(terminal.keymap).flatMap(([context, actions]) =>
    Object.entries(actions).map(([action, keys]) => ({
      action: `${context}.${action}`,
      keys: typeof keys === "string" ? [keys] : keys,
    })),
  );
  const toKey = (action: string): string => `tui.keymap.${action}`;
  const created = createKeymap(bindings.filter(({ action }) => !isForeign(action)));
  if (created.type === "fault") {
    const key = toKey(created.action);
    const message = `${key} ${created.message}.${listNames(created.action)}`;
    throw new ConfigError({ code: "value_invalid", message, key, origin: origins.get(key) });
  }
  driver.setKeymap(created.keymap);
  driver.setVim(terminal.vimModeDefault);
  const foreign = bindings.filter(({ action }) => isForeign(action)).map(({ action }) => toKey(action));
  for (const key of foreign) {
    const origin = origins.get(key);
    const place = origin?.type === "file" ? `${origin.path}:${origin.line}: ` : "";
    tell({ driver }, `${place}${key} has no effect in unroll.`, "warning");
  }
}

/** The names to choose from, for an unknown one; else empty. */
function listNames(action: string): string {
  if (actionNames.some((name) => name === action)) return "";
  const [context] = action.split(".");
  const own = actionNames.filter((name) => name.startsWith(`${context}.`)).map((name) => name.split(".")[1]);
  const contexts = new Set(actionNames.map((name) => name.split(".")[0]));
  return own.length > 0 ? ` Actions of ${context}: ${own.join(", ")}.` : ` Contexts: ${[...contexts].join(", ")}.`;
}

/** Actions that the Codex CLI 0.169 has and unroll does not, so that one config.toml serves both. `*`: all of the context. */
const foreignActions: Readonly<Record<string, string>> = {
  global: `change_host close_sidebar_tab copy equalize_pane_widths find_transcript focus_activity focus_main_composer
    focus_pane_left focus_pane_right focus_sidebar_content focus_sidebar_tabs hide_pane leader maximize_pane_width
    minimize_pane_width move_divider_left move_divider_right open_agents resize_panes select_transcript sidebar_down
    sidebar_up toggle_fast_mode toggle_pane_zoom toggle_raw_output toggle_side_conversation queue submit toggle_shortcuts`,
  chat: `decrease_reasoning_effort increase_reasoning_effort open_presets previous_permission_mode prompt_stack_back
    skip_question toggle_voice toggle_voice_mute`,
  composer: "queue",
  editor: "kill_whole_line",
  list: "move_left move_right",
  approval: "cancel open_fullscreen open_thread",
  agents: "*",
  vim_normal: "*",
  vim_operator: "*",
  vim_search: "*",
  vim_text_object: "*",
};

function isForeign(action: string): boolean {
  const [context = "", name = ""] = action.split(".");
  const names = foreignActions[context]?.split(/\s+/) ?? [];
  return names.includes("*") || names.includes(name);
}
