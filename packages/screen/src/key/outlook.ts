/** Whether what is not whole may still become so. */
export type Outlook = "more may come" | "nothing more comes";
