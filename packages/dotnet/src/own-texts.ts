import { DICTIONARY_CODES, lookUp } from './diagnose/dictionary.js';

/** The fixed texts of the dictionary. */
export function ownTexts(): string[] {
  return DICTIONARY_CODES.flatMap((code) => {
    const { title, explanation, hint, suggestedFixes } = lookUp(code)!;
    return [title, explanation, hint, ...(suggestedFixes ?? [])].filter((text) => text !== undefined);
  });
}
