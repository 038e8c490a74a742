/** Adds a full stop to a text, unless it ends with one already. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
