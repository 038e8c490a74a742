/** So many characters of the alphabet, the same for the same seed: not random, and never a real secret. */
export function sample(alphabet: string, length: number, seed = ''): string {
  let state = 0x2545f491 ^ length;
  for (const char of `${seed}${alphabet}`) state = next(state ^ char.charCodeAt(0));
  let text = '';
  while (text.length < length) {
    state = next(state);
    text += alphabet[(state >>> 4) % alphabet.length];
  }
  return text;
}

/** A step of a linear congruential generator of 32 bits. */
function next(state: number): number {
  return (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
}
