import type { HostEnvironment } from "@unroll/harness";

/** How a program presents itself to servers. `name`: of the program, as `unroll_exec`. */
export function toUserAgent(name: string, { platform }: Pick<HostEnvironment, "platform">): string {
  return `${name} (${platform})`;
}
