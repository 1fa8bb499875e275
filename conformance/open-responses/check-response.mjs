// The shape of a response object and of the events of a stream, by the published schema of the API.
const is = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  whole: Number.isInteger,
  flag: (value) => typeof value === "boolean",
  list: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};
const orNull = (check) => (value) => value === null || check(value);
const oneOf = (...values) => (value) => values.includes(value);
const isUsage = (usage) =>
  is.object(usage) &&
  [usage.input_tokens, usage.output_tokens, usage.total_tokens, usage.input_tokens_details?.cached_tokens, usage.output_tokens_details?.reasoning_tokens].every(is.whole);

const members = {
  id: is.text,
  object: oneOf("response"),
  created_at: is.whole,
  completed_at: orNull(is.whole),
  status: oneOf("completed", "in_progress", "queued", "failed", "incomplete", "cancelled"),
  incomplete_details: orNull(({ reason }) => is.text(reason)),
  model: is.text,
  previous_response_id: orNull(is.text),
  instructions: orNull(is.text),
  output: is.list,
  error: orNull(({ code, message }) => is.text(code) && is.text(message)),
  tools: (tools) => is.list(tools) && tools.every(({ type, ...tool }) => type !== "function" || isFunction(tool)),
  tool_choice: (choice) => is.text(choice) || is.object(choice),
  truncation: oneOf("auto", "disabled"),
  parallel_tool_calls: is.flag,
  text: (text) => is.object(text) && is.text(text.format?.type),
  top_p: is.number,
  presence_penalty: is.number,
  frequency_penalty: is.number,
  top_logprobs: is.whole,
  temperature: is.number,
  reasoning: orNull((reasoning) => [reasoning.effort, reasoning.summary].every(orNull(is.text))),
  usage: orNull(isUsage),
  max_output_tokens: orNull(is.whole),
  max_tool_calls: orNull(is.whole),
  store: is.flag,
  background: is.flag,
  service_tier: is.text,
  metadata: is.object,
  safety_identifier: orNull(is.text),
  prompt_cache_key: orNull(is.text),
};

function isFunction({ name, description, parameters, strict }) {
  return is.text(name) && orNull(is.text)(description) && orNull(is.object)(parameters) && orNull(is.flag)(strict);
}

const items = {
  message: ({ id, status, role, content }) => is.text(id) && is.text(status) && role === "assistant" && is.list(content) && content.every(isOutputText),
  function_call: ({ id, call_id, name, arguments: given, status }) => [id, call_id, name, given, status].every(is.text),
  reasoning: ({ id, summary }) => is.text(id) && is.list(summary),
};
const isOutputText = ({ type, text, annotations, logprobs }) => type === "output_text" && is.text(text) && is.list(annotations) && (logprobs === undefined || is.list(logprobs));

/** The faults of a response that must be completed; empty: none. */
export function checkResponse(response, { holds }) {
  if (!is.object(response)) return ["there is no response object"];
  const wrong = Object.entries(members).flatMap(([name, check]) => (name in response && check(response[name]) ? [] : [`${name} is ${JSON.stringify(response[name])}`]));
  const strange = (is.list(response.output) ? response.output : []).filter((item) => items[item.type]?.(item) === false);
  const lacks = !is.list(response.output) || response.output.some(({ type }) => type === holds) ? [] : [`output holds no ${holds}`];
  const status = response.status === "completed" ? [] : [`its status is ${response.status}`];
  return [...wrong, ...strange.map((item) => `an item is ${JSON.stringify(item)}`), ...lacks, ...status];
}

const ofItem = ({ item_id: id, output_index: index }) => is.text(id) && is.whole(index);
const events = {
  "response.created": ({ response }) => is.object(response),
  "response.in_progress": ({ response }) => is.object(response),
  "response.completed": ({ response }) => is.object(response),
  "response.output_item.added": ({ output_index: index, item }) => is.whole(index) && is.object(item),
  "response.output_item.done": ({ output_index: index, item }) => is.whole(index) && is.object(item),
  "response.content_part.added": (event) => ofItem(event) && is.whole(event.content_index) && is.object(event.part),
  "response.content_part.done": (event) => ofItem(event) && is.whole(event.content_index) && is.object(event.part),
  "response.output_text.delta": (event) => ofItem(event) && is.whole(event.content_index) && is.text(event.delta) && is.list(event.logprobs),
  "response.output_text.done": (event) => ofItem(event) && is.whole(event.content_index) && is.text(event.text) && is.list(event.logprobs),
  "response.function_call_arguments.delta": (event) => ofItem(event) && is.text(event.delta),
  "response.function_call_arguments.done": (event) => ofItem(event) && is.text(event.arguments),
};

/** The faults in the events of one response, from the first to the terminal one; empty: none. */
export function checkEvents(told) {
  if (told.length === 0) return ["there are no events"];
  const wrong = told.filter((event) => !(events[event.type] ?? is.object)(event)).map((event) => `an event is ${JSON.stringify(event)}`);
  const order = told.every(({ sequence_number: number }, index) => number === index) ? [] : ["sequence_number does not count the events"];
  return [...wrong, ...order];
}
