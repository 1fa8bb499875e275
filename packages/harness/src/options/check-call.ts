import { checkShape, type ShapeKind } from "@unroll/text";
import { HarnessError } from "../harness-error.ts";

/** `checkShape` of `@unroll/text`, whose sentence is thrown as `takeCall` throws it. */
export function checkCall(call: string, value: unknown, shape: Readonly<Record<string, ShapeKind>>): void {
  takeCall(() => checkShape(call, value, shape));
}

/**
 * What it gives; the `TypeError` by which the packages below refuse what they were given is thrown as `HarnessError` `invalid_options`, as all
 * is that a caller of this package got wrong.
 */
export function takeCall<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new HarnessError("invalid_options", error.message);
  }
}
