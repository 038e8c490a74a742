import { charSet, endOfRun } from '../scanning/chars.js';
import type { SecretDetector } from '../scanning/scan.js';
import { isExpression } from '../values/code.js';
import { keyKindIn } from '../values/secret-key.js';
import { endAtLine } from '../values/unquoted.js';

const ADD_MASK = '::add-mask::';
const NAME_CHARS = charSet('\\w.-');

/** Values that GitHub Actions workflow commands mask or set: `::add-mask::x`, `::set-output name=token::x`. */
export const workflowCommands: SecretDetector = {
  name: 'workflow commands',
  triggers: [ADD_MASK, '::set-output name=', '::set-env name=', '::save-state name='],
  read: (text, redact) => (at, trigger) => {
    let value = at + trigger.length;
    if (trigger !== ADD_MASK) {
      const nameEnd = endOfRun(text, value, NAME_CHARS);
      if (!text.string.startsWith('::', nameEnd) || keyKindIn(text, value, nameEnd) === undefined) return 0;
      value = nameEnd + '::'.length;
    }
    if (isExpression(text, value)) return value;
    const end = endAtLine(text, value);
    redact(value, end);
    return end;
  },
};
