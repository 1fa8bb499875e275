import { checkShape, type ShapeKind } from "@unroll/text";
import { HarnessError } from "../harness-error.ts";

/** `checkShape` of `@unroll/text`, whose sentence is thrown as `HarnessError` `invalid_options`, as all is that a caller of this package got wrong. */
export function checkCall(call: string, value: unknown, shape: Readonly<Record<string, ShapeKind>>): void {
  try {
    checkShape(call, value, shape);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new HarnessError("invalid_options", error.message);
  }
}
