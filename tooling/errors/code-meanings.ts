/** The meaning of an error code and advice for the user, in Markdown. */
export interface CodeMeaning {
  readonly meaning: string;
  readonly advice: string;
  /** The run continues. Absent: it is an error, at least in some cases. */
  readonly isWarning?: true;
}

/** Every code of unroll's own, in the order of the page. A code whose messages come from elsewhere (`idle_timeout`) is here, too. */
export const codeMeanings: Readonly<Record<string, Readonly<Record<string, CodeMeaning>>>> = {
  "Command line and input": {
    usage: {
      meaning: "The command line is wrong.",
      advice: "Correct it; the message names the flag. `--help` lists all flags.",
    },
    input: {
      meaning: "A file, a prompt or stdin cannot be used.",
      advice: "Correct the input that the message names.",
    },
    output: { meaning: "A result cannot be written.", advice: "Name another file or folder." },
    invalid_schema: { meaning: "The output schema is not a JSON Schema.", advice: "Correct the file." },
    invalid_tasks: {
      meaning: "A line of a batch's tasks is wrong: nothing was started.",
      advice: "Correct it; the message names file, line and field.",
    },
    invalid_results: {
      meaning: "A line of a batch's results is wrong, so that they cannot be compared.",
      advice: "Correct it; the message names file, line and field.",
    },
    batch_journal: {
      meaning: "Another process runs this batch, or the file of its journal is something else.",
      advice: "Wait for the other process, or name other results with `--out`.",
    },
    queue_url: {
      meaning: "The URL of a queue is none of Redis or PostgreSQL, or a package for it is missing.",
      advice: "Correct the URL, or install the packages that the message names.",
    },
    queue_unreachable: {
      meaning: "The server of the queue does not answer, or refuses the login.",
      advice: "Start it, or correct the URL.",
    },
    queue_task: {
      meaning: "A task is too large for the queue, or the queue has another task with its id.",
      advice: "The message names the task and says how to correct it. Nothing was added.",
    },
    queue_clock: {
      meaning: "This machine's clock differs from that of the queue's server by more than a third of a lock (10 s).",
      advice: "Set both clocks (NTP), then start the worker again. Its tasks went back to the queue.",
    },
    store_unreachable: {
      meaning: "The server of the threads does not answer, or refuses the login.",
      advice: "Start it, or correct the URL.",
    },
    store_newer: {
      meaning: "A newer version of unroll has changed the tables of the threads.",
      advice: "Update unroll on this machine.",
    },
    queue_failed: {
      meaning: "The queue ended a task, or a worker, by itself.",
      advice: "The message has the words of the queue.",
    },
    task_poison: {
      meaning: "Twenty workers died while they ran this task.",
      advice: "Look at the end of its thread, and correct the task or the machine.",
    },
    cancelled: { meaning: "You cancelled the task.", advice: "Add it again with another id, or retry it." },
    task_timeout: {
      meaning: "A task of a batch took too long.",
      advice: "Raise `--task-timeout`, and run `--only-failed`.",
    },
    task_failed: {
      meaning: "A task of a batch failed, and `--fail-fast` ended the batch.",
      advice: "Correct the cause, and run the same command: it continues.",
    },
    invalid_file: { meaning: "The instructions file is not text.", advice: "Put the instructions into it as UTF-8." },
    missing_file: { meaning: "The instructions file does not exist.", advice: "Check its path." },
    unreadable_file: { meaning: "A file cannot be read.", advice: "Make it readable." },
    no_working_folder: { meaning: "The working folder was deleted.", advice: "Start in another folder." },
    invalid_image: { meaning: "An image is missing, unreadable or not an image.", advice: "Check the file." },
    images_unsupported: {
      meaning: "The model or the server does not accept images.",
      advice: "Leave the image out, or name another model. If it accepts images, set `supports_images`.",
    },
  },
  "Config and rules": {
    toml_invalid: { meaning: "A config file is not valid TOML.", advice: "Correct the place that the message names." },
    value_invalid: { meaning: "A key has a value that is not allowed.", advice: "Use one of the allowed values." },
    value_ignored: {
      meaning: "A value has no effect.",
      advice: "Remove it, or change what the message names.",
      isWarning: true,
    },
    value_plain: {
      meaning: "A `-c` value starts with a quote and is not TOML, so it is used as it is.",
      advice: "Close the quote, or leave it out.",
      isWarning: true,
    },
    key_unknown: { meaning: "A key does not exist.", advice: "Correct its name, or remove it." },
    key_unused: {
      meaning: "A key of the Codex CLI has no effect in unroll.",
      advice: "Nothing, if the file also serves the Codex CLI.",
      isWarning: true,
    },
    key_deprecated: { meaning: "A key has an old name.", advice: "Use the new name.", isWarning: true },
    key_ignored_in_project: {
      meaning: "A project's config sets a key that only you can set.",
      advice: "Put it into your own `config.toml`.",
      isWarning: true,
    },
    config_not_strict: {
      meaning: "With `--strict-config`, a warning is an error.",
      advice: "Correct the key that the message names.",
    },
    override_invalid: { meaning: "The key of a `-c` is not a key.", advice: "Write it as dotted names." },
    profile_unknown: { meaning: "There is no profile of this name.", advice: "Add it, or correct the name." },
    provider_unknown: {
      meaning: "`model_provider` names a provider that is not defined.",
      advice: "Add its table, or correct the name.",
    },
    provider_invalid: { meaning: "A provider's settings contradict each other.", advice: "Keep one of them." },
    provider_undeclared: {
      meaning: "A provider has no `preset`, so it gets only what most servers support.",
      advice: 'Set `preset`, for a gateway to OpenAI `"openai"`.',
      isWarning: true,
    },
    mcp_required_failed: {
      meaning: "An MCP server with `required = true` did not start.",
      advice: "Run `unroll mcp test NAME`.",
    },
    mcp_server_invalid: { meaning: "An MCP server's settings are wrong.", advice: "Correct its table." },
    model_catalogue_invalid: {
      meaning: "The file of `model_catalog_json` is wrong.",
      advice: "Correct it, or unset the key.",
    },
    model_unknown: {
      meaning: "unroll does not know the model and uses general settings.",
      advice: "Describe the model in `[models.NAME]`.",
      isWarning: true,
    },
    model_window_unknown: {
      meaning: "The context window is a guess.",
      advice: "Set `context_window` in `[models.NAME]`.",
      isWarning: true,
    },
    account_missing: {
      meaning: "Nobody is logged in to the account that the config or the thread names.",
      advice: "Log in with `unroll login --as NAME`, or choose another account with `--account`.",
    },
    model_unnamed: { meaning: "The provider has several models or none, and you named none.", advice: "Use `-m`." },
    effort_refused: {
      meaning: "The model does not support this reasoning effort.",
      advice: "Use a level from the message.",
    },
    effort_unknown: {
      meaning: "unroll does not know this effort and sends it.",
      advice: "Check the word.",
      isWarning: true,
    },
    add_dir_without_effect: {
      meaning: "`--add-dir` has no effect in `read-only`.",
      advice: "Use `-s workspace-write`.",
      isWarning: true,
    },
    project_not_trusted: {
      meaning: "A project's config or skills are not read, because you have not trusted the project.",
      advice: "Trust the project, or turn the notice off.",
      isWarning: true,
    },
    project_config_changed: {
      meaning: "A project's config file changed or appeared since you first started there, so it is not read.",
      advice: "Read the file; accept it as the message says.",
      isWarning: true,
    },
    secret_in_project: {
      meaning: "A project's config contains what looks like a credential.",
      advice: "Remove it, revoke it, and name a variable instead.",
      isWarning: true,
    },
    file_unreadable: { meaning: "A config file cannot be read.", advice: "Make it a text file that you can read." },
    file_unwritable: { meaning: "A config file cannot be changed.", advice: "Check its permissions." },
    file_locked: { meaning: "Another process is changing the config file.", advice: "Try again." },
    edit_impossible: { meaning: "unroll cannot make this change safely.", advice: "Edit the file by hand." },
    folder_not_found: {
      meaning: "The working folder or the config folder does not exist.",
      advice: "Correct `-C`, or set `CODEX_HOME` or `HOME`.",
    },
    invalid_rules: {
      meaning: "A rules file is wrong or cannot be changed.",
      advice: "Correct the place that the message names.",
    },
  },
  "Keys and logins": {
    missing_credential: { meaning: "There is no key or login.", advice: "Run `unroll login`, or set the variable." },
    unauthorized: { meaning: "The server rejected the key or login.", advice: "Check the key, or log in again." },
    command_failed: { meaning: "The `auth_command` gave no key.", advice: "Run it by hand." },
    keyring_unavailable: {
      meaning: "The system keyring cannot be used.",
      advice: 'Start its service, or store logins in files (`"file"`).',
    },
    login_changed: {
      meaning: "Another kind of login replaced the one in use.",
      advice: "Start again with `unroll resume`.",
    },
    login_ended: { meaning: "The login has ended.", advice: "Run `unroll login`, then `unroll resume`." },
    server_refused: {
      meaning: "The login server answered with something that unroll does not accept.",
      advice: "Try again; check `[login]`.",
    },
    server_unreachable: { meaning: "The login server does not answer.", advice: "Check the network and the proxy." },
    store_unusable: { meaning: "The stored login cannot be read or changed.", advice: "Do what the message says." },
  },
  "Model and server": {
    connection_failed: { meaning: "The server cannot be reached.", advice: "Check `base_url`, network and proxy." },
    connect_timeout: { meaning: "The connection took too long.", advice: "Check the network, and try again." },
    first_byte_timeout: { meaning: "The server did not start to answer.", advice: "Try again." },
    idle_timeout: {
      meaning: "The response paused for too long.",
      advice: "Try again; for slow servers raise `stream_idle_timeout_ms`.",
    },
    stream_cut: { meaning: "The response ended early.", advice: "Try again." },
    server_not_ready: { meaning: "The server is loading or restarting.", advice: "Wait, or check the server." },
    invalid_answer: {
      meaning: "The response breaks the protocol.",
      advice: "Check that the server supports the Responses API.",
    },
    incomplete: { meaning: "The model stopped before its answer was complete.", advice: "Ask for less." },
    content_refused: {
      meaning: "The server refuses an item of the thread, and unroll has no other form for it.",
      advice: "Fork the thread before that item, or run `unroll threads repair`.",
    },
    rate_limit_exceeded: { meaning: "The server accepts no more requests for now.", advice: "Wait." },
    usage_limit_reached: {
      meaning: "Your account's limit is reached.",
      advice: "Wait until it resets. The message says when, if the server does.",
    },
    aborted: { meaning: "The program stopped a request.", advice: "Nothing." },
    pull_failed: { meaning: "Ollama could not load the model.", advice: "Run `ollama pull`, or use another name." },
  },
  Runs: {
    interrupted: { meaning: "You or the caller stopped the run.", advice: "Continue with `unroll resume`." },
    approval_needed: {
      meaning: "A call waits for your approval (`--approvals stop`, or a `postponed` answer).",
      advice: "Resume the thread to be asked, allow the call by a rule, or use `--approvals stdio`.",
    },
    sandbox_unavailable: {
      meaning: "The sandbox cannot start.",
      advice:
        "Install bubblewrap; in a container, start it as [sandbox.md](sandbox.md#in-a-container) says. `unroll doctor` has the details.",
    },
    budget_exhausted: { meaning: "A limit of the budget is reached.", advice: "Raise the limit, and continue." },
    budget_unknown: {
      meaning: "The server does not report usage, so the limit cannot be checked.",
      advice: "Use `max_turns` or `max_time`.",
    },
    unknown_price: { meaning: "`max_cost` needs a price.", advice: "Set `max_tokens`, or the model's price." },
    repeated_calls: {
      meaning: "The model repeated the same calls.",
      advice: "Give it other instructions, or raise `repeated_calls.stop_after`.",
    },
    schema_mismatch: { meaning: "The answer does not match the output schema.", advice: "Run it again." },
    compaction_failed: { meaning: "The thread could not be compacted.", advice: "Do what the message says." },
    no_notes: { meaning: "The model wrote no summary for a compaction.", advice: "Try again, or use another model." },
    not_supported: {
      meaning: "The server cannot compact threads.",
      advice: "Nothing: unroll asks the model for a summary instead.",
    },
    guard_failed: { meaning: "A check of the program failed.", advice: "Correct the guard." },
    journal_failed: { meaning: "The thread cannot be saved.", advice: "Free disk space, or move `CODEX_HOME`." },
    system_error: {
      meaning: "The machine refused something: a full disk, too few open files, permissions.",
      advice: "Do what the message says.",
    },
    internal_error: { meaning: "This is a bug in unroll.", advice: "Please report it." },
  },
  "Saved threads": {
    thread_missing: { meaning: "There is no such thread.", advice: "See `unroll threads list --all`." },
    thread_exists: {
      meaning: "The store has a thread of this id already.",
      advice: "Nothing: it is there. To replace it, delete it first.",
    },
    thread_ambiguous: { meaning: "Several threads match.", advice: "Write more of the id." },
    thread_archived: { meaning: "The thread is archived.", advice: "Unarchive it, or fork it." },
    thread_locked: {
      meaning: "Another process has the thread open.",
      advice: "Close it there, or fork it.",
    },
    thread_lost: {
      meaning: "Another process has taken the thread over while this one had it.",
      advice: "Look for it there, or resume it again.",
    },
    thread_newer: {
      meaning: "A newer version of unroll wrote the thread.",
      advice: "Update unroll here. Until then, you can read the thread, not resume it.",
    },
    no_locks: {
      meaning: "The disk has no locks, and the program shares its threads with other processes.",
      advice: "Keep threads on another disk (`CODEX_HOME`).",
    },
    thread_unreadable: { meaning: "The thread's file is damaged.", advice: "Run `unroll threads repair`." },
    other_model: {
      meaning: "Resuming with another model would resend the whole thread uncached.",
      advice: "Name the thread's model, or use `--allow-cache-break`.",
    },
    no_thread_store: {
      meaning: "Threads are not saved here.",
      advice: "Leave `--ephemeral` out; in the library, give `openHarness` a store.",
    },
  },
  "The library": {
    invalid_options: { meaning: "A call of the library has wrong options.", advice: "Correct them." },
    closed: { meaning: "The harness or the thread is closed.", advice: "Open another one." },
    agent_not_started: {
      meaning: "A sub-agent of your program was not started, because of a limit, its role, its folder or its model.",
      advice: "Wait for another one, raise the limit of `[agents]` that the message names, or change the task.",
    },
    thread_busy: { meaning: "A turn is running in this thread.", advice: "Wait for its end, or use `send`." },
    nothing_to_undo: { meaning: "There is no compaction to undo.", advice: "Nothing." },
    too_much_waits: { meaning: "Too many bytes are queued.", advice: "Send again when the turn continues or ends." },
    turn_failed: { meaning: "A turn failed.", advice: "See its `turnError`." },
    turn_interrupted: { meaning: "The turn was interrupted.", advice: "Run another turn." },
    missing_package: { meaning: "An optional package is not installed.", advice: "Install it." },
    unknown_server: { meaning: "There is no enabled MCP server of this name.", advice: "Use a listed name." },
  },
};
