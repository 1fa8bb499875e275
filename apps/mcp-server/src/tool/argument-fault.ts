/** A mistake that the caller of a tool can fix: it becomes the result of the call, for the model that made it. */
export class ArgumentFault extends Error {
  override readonly name = "ArgumentFault";
}
