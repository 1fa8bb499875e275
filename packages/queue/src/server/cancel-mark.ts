/** The progress of a job whose worker is to stop it. */
export const cancelMark = { cancelled: true };
