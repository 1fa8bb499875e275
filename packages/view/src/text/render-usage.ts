import type { TokenUsage } from "@unroll/protocol";

/** `tokens: 19,993 in, 16,219 of them cached (81 %), 1,046 out` */
export function renderUsage({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
}: TokenUsage): string {
  const share = input === 0 ? 0 : Math.round((100 * cached) / input);
  return `tokens: ${count(input)} in, ${count(cached)} of them cached (${share} %), ${count(output)} out`;
}

/** toLocaleString would load all of ICU: 10 ms and 7 MB. */
function count(tokens: number): string {
  return String(tokens).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
