import { findTheme, type Theme } from "@unroll/screen";

const found = findTheme("dark");
if (found === null) throw new Error("there is no dark theme");

export const darkTheme: Theme = found;
