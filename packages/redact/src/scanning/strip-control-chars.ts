const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/**
 * Matches, in this order, CSI sequences, strings (OSC with its hyperlinks, DCS, SOS, PM, APC) with their terminator,
 * other escapes, and single control characters. The bounds keep the pattern linear. The patterns for 8-bit sequences
 * never match a double quote or a backslash, so that the end of a JSON string is never removed.
 */
const SEQUENCES = new RegExp(
  [
    '\\x1b\\[[0-?]{0,256}[ -/]{0,16}[@-~]?',
    '\\x9b[0-?]{0,256}(?:[ !#-/]{0,16}[@-\\[\\]-~])?',
    '\\x1b[\\]PX^_][^\\x00-\\x1f\\x7f-\\x9f]{0,8192}(?:\\x07|\\x1b\\\\|\\x9c)',
    '[\\x90\\x98\\x9d-\\x9f][^"\\\\\\x00-\\x1f\\x7f-\\x9f]{0,8192}(?:\\x07|\\x1b\\\\|\\x9c)',
    '\\x1b[ -/]{0,8}[0-~]?',
    '[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1a\\x1c-\\x1f\\x7f-\\x9f]',
  ].join('|'),
  'g',
);

/** Removes ANSI sequences and all control characters except for TAB, LF and CR. */
export function stripControls(text: string): string {
  return CONTROL.test(text) ? text.replace(SEQUENCES, '') : text;
}
