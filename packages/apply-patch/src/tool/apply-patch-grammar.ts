/** The patch format as a Lark grammar: the `format.definition` of the custom tool. */
export const applyPatchGrammar: string = `start: opening file+ closing
opening: "*** Begin Patch" LF
closing: "*** End Patch" LF?

file: added | deleted | updated
added: "*** Add File: " TEXT LF new_line*
deleted: "*** Delete File: " TEXT LF
updated: "*** Update File: " TEXT LF (move first_hunk? | first_hunk | hunk) hunk*

move: "*** Move to: " TEXT LF
hunk: anchor+ first_hunk
first_hunk: change+ last?
anchor: "@@" (" " TEXT)? LF
change: (" " | "-" | "+") TEXT? LF
new_line: "+" TEXT? LF
last: "*** End of File" LF

TEXT: /[^\\n]+/
LF: "\\n"
`;
