import { CATALOG_CODES, findCode } from './code-catalog.js';

/** The fixed texts of the dictionary. */
export function ownTexts(): string[] {
  return CATALOG_CODES.flatMap((code) => {
    const { title, explanation, hint, suggestedFixes } = findCode(code)!;
    return [title, explanation, hint, ...(suggestedFixes ?? [])].filter((text) => text !== undefined);
  });
}
