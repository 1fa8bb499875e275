import type { TokenUsage } from "@unroll/protocol";
import { groupDigits } from "@unroll/text";

/** `tokens: 19,993 in, 16,219 of them cached (81 %), 1,046 out` */
export function renderUsage({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
}: TokenUsage): string {
  const share = input === 0 ? 0 : Math.round((100 * cached) / input);
  return `tokens: ${groupDigits(input)} in, ${groupDigits(cached)} of them cached (${share} %), ${groupDigits(output)} out`;
}
