/** The text with a full stop at its end, unless it ends a sentence already. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
