/** About how many bytes of English text or code a token has, where no server has counted any. */
export const bytesPerToken = 4;
