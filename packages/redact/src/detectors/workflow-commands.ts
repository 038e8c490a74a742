import { charSet, endOfMatch, endOfRun } from '../scanning/chars.js';
import type { SecretDetector } from '../scanning/scan.js';
import { isExpression } from '../values/code.js';
import { keyKindIn } from '../values/secret-key.js';
import { endAtLine } from '../values/unquoted.js';

/** A command to a CI service, which a build writes to its log. */
interface WorkflowCommand {
  readonly trigger: string;
  /** True if a variable's name follows the trigger. The value is then redacted only if the name is a secret key. */
  readonly isNamed?: true;
  /** Matches the text between the trigger, or the variable's name, and the value. Sticky. */
  readonly between: RegExp;
  /**
   * Used instead of `between` if the name is not a secret key: matches only if the command itself says that it is
   * secret.
   */
  readonly secret?: RegExp;
}

const COMMANDS: readonly WorkflowCommand[] = [
  { trigger: '::add-mask::', between: /(?:)/y },
  ...['::set-output name=', '::set-env name=', '::save-state name='].map((trigger) => ({
    trigger,
    isNamed: true as const,
    between: /::/y,
  })),
  { trigger: '##vso[task.setsecret]', between: /(?:)/y },
  {
    trigger: '##vso[task.setvariable variable=',
    isNamed: true,
    between: /(?:;[^\]\r\n]{0,200})?\]/y,
    secret: /;(?:[^\]\r\n]{0,200};)?issecret=true[^\]\r\n]{0,200}\]/iy,
  },
];

const NAME_CHARS = charSet('\\w.-');

/**
 * Values that commands of GitHub Actions and Azure Pipelines mask or set: `::add-mask::x`,
 * `##vso[task.setvariable variable=token]x`.
 */
export const workflowCommands: SecretDetector = {
  name: 'workflow commands',
  triggers: COMMANDS.map(({ trigger }) => trigger),
  read: (text, redact) => (at, trigger, index) => {
    const { isNamed, between, secret } = COMMANDS[index]!;
    const name = at + trigger.length;
    const nameEnd = isNamed ? endOfRun(text, name, NAME_CHARS) : name;
    const isSecret = !isNamed || keyKindIn(text, name, nameEnd) !== undefined;
    const value = endOfMatch(isSecret ? between : (secret ?? NEVER), text, nameEnd);
    if (value < 0) return 0;
    if (isExpression(text, value)) return value;
    const end = endAtLine(text, value);
    redact(value, end);
    return end;
  },
};

const NEVER = /(?!)/y;
