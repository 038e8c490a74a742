const MAX_CHARS = 120;
/** A word of Markdown: code and links are never broken. */
const WORD = /(?:`[^`]*`|\[[^\]]*\]\([^)\s]*\)|\S)+/g;
const ENDS_SENTENCE = /[.?!][)"]?$/;
const STARTS_SENTENCE = /^["(]?[\p{Lu}`[]/u;

/**
 * Prose of generated Markdown with each sentence on a new line, and no line of more than 120 characters.
 * @param indent what continued lines begin with, as in an entry of a list
 */
export function sentenceLines(text, indent = '') {
  const lines = [];
  let line = '';
  let last = '';
  for (const word of text.match(WORD) ?? []) {
    const isNewSentence = ENDS_SENTENCE.test(last) && STARTS_SENTENCE.test(word);
    if (line !== '' && (isNewSentence || indent.length + line.length + 1 + word.length > MAX_CHARS)) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
    last = word;
  }
  return [...lines, line].join(`\n${indent}`);
}
