import type {
  ContentBlock,
  PromptResponse,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";
import { RequestError } from "@agentclientprotocol/sdk/unstable";
import { applyChange, explainUnsupportedEffort, type ResolvedConfig } from "@unroll/config";
import type { HostedThread, StartedTurn } from "@unroll/thread-host";
import type { Host } from "@unroll/harness";
import type { UserInputPart } from "@unroll/protocol";
import { shortenText } from "@unroll/text";
import { ownEffort, toConfigOptions } from "../map/to-config-options.ts";
import { findMode, isMode, type ModeId, toModeChange, shownModes } from "../map/to-mode.ts";
import { toPromptResponse } from "../map/to-request-error.ts";
import type { EditorFiles } from "../editor/open-editor-files.ts";
import { findRefusals } from "../editor/find-refusals.ts";
import { listEmbeddedFiles, listLinkedFiles, toUnsavedInput, toUserInput } from "../map/to-user-input.ts";
import { toNotice } from "../tell/create-update-teller.ts";
import { tellUpdates, type ToldClient } from "./session-client.ts";
import { listAvailableCommands, readWish } from "./session-commands.ts";

export interface SessionParts {
  readonly client: ToldClient;
  readonly host: Host;
  readonly thread: HostedThread<unknown>;
  readonly files: EditorFiles;
  /** The open session that it is a copy of; null: none. */
  readonly like: Session | null;
}

const titleCharacters = 120;

/** An open thread as a session of the editor, with the same id. */
export class Session {
  readonly id: string;
  readonly #parts: SessionParts;
  readonly #thread: HostedThread<unknown>;
  /** The config that the thread was opened with, which the mode `ask` uses. */
  #base: ResolvedConfig;
  #mode: ModeId;
  /** Stops the running prompt; null: none runs. */
  #stop: AbortController | null = null;

  constructor(parts: SessionParts) {
    this.id = parts.thread.id;
    this.#parts = parts;
    this.#thread = parts.thread;
    const { like, thread } = parts;
    this.#base = like === null ? applyChange(thread.config, thread.beforePlanning) : like.#base;
    this.#mode = thread.isPlanning ? "plan" : findMode(thread.config);
  }

  /** The settings as they are now. */
  get config(): ResolvedConfig {
    return this.#thread.config;
  }

  /** The modes and options that the editor gets when the session opens. */
  describe(): { readonly modes: SessionModeState; readonly configOptions: SessionConfigOption[] } {
    return {
      modes: { currentModeId: this.#mode, availableModes: [...shownModes] },
      configOptions: this.#listOptions(),
    };
  }

  /** Throws `RequestError`, but not for an interrupted prompt. */
  prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    return this.#alone((stop) => this.#run(blocks, AbortSignal.any([signal, stop])));
  }

  /** Ends the running turn, if any. */
  cancel(): void {
    this.#stop?.abort();
  }

  async setMode(modeId: string): Promise<void> {
    if (!isMode(modeId)) throw RequestError.invalidParams({ modeId }, `modeId: there is no mode ${modeId}.`);
    await this.#thread.setPlanMode(modeId === "plan", toModeChange(modeId, this.#base));
    this.#mode = modeId;
    await this.#tell(
      { sessionUpdate: "current_mode_update", currentModeId: modeId },
      { sessionUpdate: "config_option_update", configOptions: this.#listOptions() },
    );
  }

  async setOption(configId: string, value: string | boolean): Promise<SessionConfigOption[]> {
    const option = this.#listOptions().find(({ id }) => id === configId);
    if (option?.type !== "select")
      throw RequestError.invalidParams({ configId }, `configId: there is no option ${configId}.`);
    const isOffered = option.options.some((each) => "value" in each && each.value === value);
    if (typeof value !== "string" || !isOffered) {
      const fault = configId === "effort" ? explainUnsupportedEffort(String(value), this.config) : null;
      throw RequestError.invalidParams({ value }, `value: ${fault ?? `${configId} takes none of that name.`}`);
    }
    if (configId === "mode") await this.setMode(value);
    else if (configId === "effort") await this.#thread.change({ reasoningEffort: value === ownEffort ? null : value });
    else if (value !== this.config.model) await this.#alone(() => this.#thread.chooseModel({ model: value }));
    return this.#listOptions();
  }

  /** Lists the slash commands. */
  async tellCommands(): Promise<void> {
    const { commands, warnings } = await listAvailableCommands(this.#place);
    await this.#tell({ sessionUpdate: "available_commands_update", availableCommands: [...commands] });
    await this.#warn(warnings);
  }

  get #place(): Parameters<typeof listAvailableCommands>[0] {
    return { config: this.#thread.config, host: this.#parts.host };
  }

  #listOptions(): SessionConfigOption[] {
    return toConfigOptions(this.#mode, this.#thread.config);
  }

  async #run(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const unsaved = await this.#readUnsaved(blocks, signal);
    const input = [...toUserInput(blocks), ...toUnsavedInput(unsaved)];
    const wish = await readWish(blocks, this.#place);
    if (signal.aborted) return { stopReason: "cancelled" };
    switch (wish?.type) {
      case "told":
        await this.#tell({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: wish.text } });
        return { stopReason: "end_turn" };
      case "compact":
        return this.#follow(() => this.#thread.compact(wish.focus === null ? {} : { focus: wish.focus }), signal);
      case "say":
        return this.#startTurn([{ type: "text", text: wish.text }, ...input.slice(1)], signal);
      case undefined:
        return this.#startTurn(input, signal);
    }
  }

  /** The unsaved text of the linked files that a prompt may have. Throws `RequestError` for an embedded one that it may not have. */
  async #readUnsaved(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const [embedded, linked] = [listEmbeddedFiles(blocks), listLinkedFiles(blocks)];
    if (embedded.length + linked.length === 0) return new Map();
    const unsaved = await this.#parts.files.readUnsaved(linked, signal);
    const paths = [...embedded.map(({ path }) => path), ...unsaved.keys()];
    const refusals = await findRefusals(paths, this.#thread.config); // by the files that are there after the editor read them
    const wrong = embedded.find(({ path }) => refusals.has(path));
    if (wrong !== undefined) {
      const { place, path } = wrong;
      throw RequestError.invalidParams({ place }, `${place}: ${path} ${refusals.get(path)}: nothing was sent.`);
    }
    const refused = [...unsaved.keys()].filter((path) => refusals.has(path));
    await this.#warn(refused.map((path) => `${path} ${refusals.get(path)}: its unsaved changes were not sent.`));
    return new Map([...unsaved].filter(([path]) => !refusals.has(path)));
  }

  async #startTurn(input: readonly UserInputPart[], signal: AbortSignal): Promise<PromptResponse> {
    const said = input.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
    const title = shortenText(said, titleCharacters);
    if (this.#thread.preview === "") await this.#tell({ sessionUpdate: "session_info_update", title });
    return this.#follow(() => this.#thread.run(input), signal);
  }

  async #follow(begin: () => Promise<StartedTurn>, signal: AbortSignal): Promise<PromptResponse> {
    const stop = (): void => this.#thread.cancel();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const turn = await begin();
      turn.release();
      if (signal.aborted) stop();
      return toPromptResponse(await turn.ended);
    } catch (error) {
      if (signal.aborted) return { stopReason: "cancelled" };
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** One prompt or switch of the model at a time; `cancel` aborts the signal. */
  async #alone<Value>(run: (stop: AbortSignal) => Promise<Value>): Promise<Value> {
    if (this.#stop !== null)
      throw RequestError.invalidRequest({}, "A turn is running in this session: cancel it, or wait for its end.");
    this.#stop = new AbortController();
    try {
      return await run(this.#stop.signal);
    } finally {
      this.#stop = null;
    }
  }

  #warn(messages: readonly string[]): Promise<void> {
    const { offers } = this.#parts.client;
    return this.#tell(...messages.map((title) => toNotice({ severity: "warning", title }, offers)));
  }

  #tell(...updates: readonly SessionUpdate[]): Promise<void> {
    return tellUpdates(this.#parts.client, this.id, updates);
  }
}
