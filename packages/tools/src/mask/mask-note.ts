import { type MessageItem, withAuthor } from "@unroll/protocol";

const text = `<masked_secrets>
[masked-secret:NAME] in an output stands for a credential that you are not shown. The file or program itself has the value, so the stand-in is no fault: do not replace it.
In a patch, write the stand-in where the value stands: the value is put back when the patch is applied, in a file that holds it already and in no other.
In a command, in what you type, and in arguments of tools it is plain text and never becomes the value: let the program read the variable or the file instead.
</masked_secrets>`;

/** Tells the model what stand-ins are: to be appended when it has first been given one. */
export const maskNote: MessageItem = withAuthor(
  { type: "message", role: "developer", content: [{ type: "input_text", text }] },
  { type: "harness", fragment: "masked_secrets" },
);
