/** How long a pattern may take for a text of n characters: at the worst `factor` · n^`degree` steps. */
export interface PatternCost {
  readonly factor: number;
  /** 1 or more; Infinity if it can grow exponentially, or if that is not known. */
  readonly degree: number;
}

const UNKNOWN: PatternCost = { factor: 1, degree: Number.POSITIVE_INFINITY };

/** A character, a class, an escape: what a quantifier may follow and what takes one step. */
const ATOM = /\\[pPu]\{[^}]*\}|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/y;
const OPEN = /\((?:\?:|\?<[A-Za-z_$][\w$]*>)?/y;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y;

/**
 * What a regular expression that backtracks can cost at the worst. Told by its form alone, so that much that is quick
 * counts as unknown: a quantified group, a look-around, a reference back.
 * @param pattern of a JSON Schema; one that is not a regular expression is unknown
 */
export function patternCost(pattern: string): PatternCost {
  // Patterns that are invalid with the Unicode flag are compiled without it; then `\p{9}` is nine times the letter p.
  if (/\\[pPu]\{/.test(pattern) && !isUnicodePattern(pattern)) return UNKNOWN;
  let at = 0;
  const take = (what: RegExp): RegExpExecArray | null => {
    what.lastIndex = at;
    const match = what.exec(pattern);
    if (match) at = what.lastIndex;
    return match;
  };
  let factor = Math.max(1, pattern.length);
  let loops = 0;
  /** The alternatives of each open group; the first entry is the whole pattern. */
  const alternatives = [1];
  while (at < pattern.length) {
    const isGroupEnd = pattern[at] === ')';
    if (isGroupEnd) {
      at += 1;
      if (alternatives.length === 1) return UNKNOWN;
      factor *= alternatives.pop()!;
    } else if (pattern[at] === '|') {
      at += 1;
      alternatives.push(alternatives.pop()! + 1);
      continue;
    } else if (pattern[at] === '(') {
      take(OPEN);
      if (pattern[at] === '?') return UNKNOWN;
      alternatives.push(1);
      continue;
    } else if (/\\[1-9k]/y.test(pattern.slice(at, at + 2))) {
      return UNKNOWN;
    } else {
      take(ATOM);
    }
    const quantifier = take(QUANTIFIER);
    if (!quantifier) continue;
    const [quantifierText, exactly, comma] = quantifier;
    if (quantifierText.startsWith('?')) factor *= 2;
    else if (isGroupEnd) return UNKNOWN;
    else if (exactly !== undefined && comma === '') factor *= Math.max(1, Math.min(Number(exactly), 1000));
    else loops += 1;
  }
  if (alternatives.length > 1) return UNKNOWN;
  const isAnchored = pattern.startsWith('^') && alternatives[0] === 1;
  return { factor: factor * alternatives[0]!, degree: Math.max(1, loops + (isAnchored ? 0 : 1)) };
}

function isUnicodePattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
