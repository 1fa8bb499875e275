/**
 * Characters that show nothing, as a class for a regular expression with the flag `v`: by Unicode's own properties, with line and
 * paragraph separators and the empty Braille pattern. Control characters are not among them.
 */
export const invisible: string = String.raw`[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\u2800]`;
