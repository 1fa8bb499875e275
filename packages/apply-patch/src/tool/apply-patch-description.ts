/** The description of the custom tool for the model; the grammar has the rest. */
export const applyPatchCustomDescription: string =
  "Edits files by a patch: adds, changes, moves and deletes them, all at once or not at all. The input is the patch itself, not JSON and not a shell command.";

/** The description of the function form for the model; its only argument `input` is the patch. */
export const applyPatchFunctionDescription: string = `Edits files by a patch: adds, changes, moves and deletes them, all at once or not at all. \`input\` is the whole patch:

*** Begin Patch
*** Add File: notes/new.txt
+first line of the new file
+
*** Update File: src/app.ts
*** Move to: src/main.ts
@@ function start() {
   const port = 8000;
-  listen(port)
+  listen(port);
   log("up");
*** Delete File: old.txt
*** End Patch

- Paths are relative to the working folder. One patch may hold any number of files.
- Added file: every line begins with \`+\`, blank ones too.
- Updated file: one hunk for each place to change, in the order of the file. A hunk begins with \`@@\`. Its lines begin with a space (stays), \`-\` (goes) or \`+\` (comes). \`*** Move to:\` is only for a file that changes its name.
- A hunk is found by the lines that stay and go, so copy them exactly from the file; there are no line numbers. Give about three lines of context above and below. Where these lines come up more than once, put a whole line that stands above the place after \`@@ \` (the head of the function or class); several such \`@@\` lines in a row narrow it down further.
- End a hunk with \`*** End of File\` if its lines are the last of the file.`;
