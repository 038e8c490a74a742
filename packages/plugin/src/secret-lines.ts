import { KeyLines } from '@mortise/redact/key-lines';
import { secret } from './secret.js';

/**
 * Returns a function that marks the lines of private keys as secret, for programs that store or forward the output of
 * other programs line by line. Pass it the texts of one stream in order; each text has one or more lines. Create one
 * function for each stream.
 */
export function secretLines(): (text: string) => string {
  const lines = new KeyLines();
  // BEGIN and END stay visible, because the code that shows the lines may need to know what the preceding lines were.
  const markLine = (line: string) => {
    const { key } = lines.read(withoutColours(line));
    return key && !line.includes('----') && !line.includes('Private-') ? secret(line) : line;
  };
  return (text) => (text.includes('\n') ? text.split('\n').map(markLine).join('\n') : markLine(text));
}

const withoutColours = (line: string) => line.replace(/\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]?/g, '');
