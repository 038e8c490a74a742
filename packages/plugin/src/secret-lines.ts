import { KeyLines } from './key-lines.js';
import { secret } from './secret.js';

/**
 * Marks as secret what is a line of a private key: for programs that keep or pass on the output of others line by line.
 * Give it the texts of one stream in their order, each a line or several; use one for each stream.
 */
export function secretLines(): (text: string) => string {
  const lines = new KeyLines();
  // BEGIN and END stay: the code that displays the lines may need to know what the preceding lines were.
  const markLine = (line: string) => {
    const { key } = lines.read(withoutColours(line));
    return key && !line.includes('----') && !line.includes('Private-') ? secret(line) : line;
  };
  return (text) => (text.includes('\n') ? text.split('\n').map(markLine).join('\n') : markLine(text));
}

const withoutColours = (line: string) => line.replace(/\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]?/g, '');
