/** What whoever calls a tool can mend: told as the result of the call, for the model that made it. */
export class ArgumentFault extends Error {
  override readonly name = "ArgumentFault";
}
