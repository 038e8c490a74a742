import { charSet, endOfMatch, endOfRun } from '../scanning/chars.js';
import type { SecretDetector } from '../scanning/scan.js';
import { isExpression } from '../values/code.js';
import { keyKindIn } from '../values/secret-key.js';
import { endAtLine } from '../values/unquoted.js';

/** A command that a build writes to its log for the service that runs it. */
interface WorkflowCommand {
  readonly trigger: string;
  /** The name of the variable follows; only the value of a secret one is redacted. */
  readonly isNamed?: true;
  /** From the trigger, or from the end of the name, to the value. Sticky. */
  readonly between: RegExp;
  /** As `between`, for commands that say that the value is secret whatever its name. */
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

/** Values that commands of GitHub Actions and Azure Pipelines mask or set: `::add-mask::x`, `##vso[task.setvariable variable=token]x`. */
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
