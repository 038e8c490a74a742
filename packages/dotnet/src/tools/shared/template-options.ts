/** An option of a template on the page of `dotnet new <template> --help`. */
export interface TemplateOption {
  /** For example `--auth`. */
  readonly name: string;
  /** For example `-au`. */
  readonly alias?: string;
  /** `choice`, `bool`, `string`, `int` …; undefined if the page does not name it. */
  readonly type?: string;
  readonly values?: readonly string[];
  readonly default?: string;
  readonly description: string;
}

/**
 * Parses the template's own options on its help page. The options of `dotnet new` itself are parameters of New. The
 * page has two columns, which both wrap. The right one has the description, `Type:`, the values of a choice, and
 * `Default:`.
 */
export function parseTemplateOptions(page: string): TemplateOption[] {
  const lines = page.split(/\r?\n/);
  const start = lines.findIndex((line) => /^Template options:\s*$/.test(line));
  if (start < 0) return [];
  const end = lines.findIndex((line, index) => index > start && /^\S/.test(line));
  const section = lines.slice(start + 1, end < 0 ? undefined : end).filter((line) => line.trim() !== '');
  const column = columnOf(section);
  const entries: { left: string; right: string[] }[] = [];
  for (const line of section) {
    const left = line.slice(0, column).trim();
    const right = line.slice(column).trimEnd();
    if (left.startsWith('-')) entries.push({ left, right: [right] });
    else {
      const last = entries.at(-1);
      if (last === undefined) continue;
      last.left = [last.left, left].filter(Boolean).join(' ');
      last.right.push(right);
    }
  }
  return entries.map(({ left, right }) => toOption(left, right));
}

/**
 * Finds the start of the right column: the least indentation of its lines, or position of its text beside an option.
 */
function columnOf(section: readonly string[]): number {
  const indents = section.map((line) => line.length - line.trimStart().length).filter((indent) => indent > 4);
  const firstTexts = section.flatMap((line) => {
    const gap = /^ {2}-.*?\S( {2,})\S/.exec(line);
    return gap ? [gap[0].length - 1] : [];
  });
  return Math.min(...indents, ...firstTexts, Number.MAX_SAFE_INTEGER);
}

const NAMES = /^(?:(-[\w-]+), )?(--?[\w-]+)/;

function toOption(left: string, right: readonly string[]): TemplateOption {
  const [, alias, name = left] = NAMES.exec(left) ?? [];
  const typeAt = right.findIndex((line) => /^Type: /.test(line));
  const defaultAt = right.findIndex((line) => /^Default:/.test(line));
  const ends = [typeAt, defaultAt, right.length].filter((index) => index >= 0);
  const type = /^Type: (\S+)/.exec(right[typeAt] ?? '')?.[1];
  const values = right
    .slice(typeAt < 0 ? right.length : typeAt + 1, defaultAt < 0 ? undefined : defaultAt)
    .flatMap((line) => /^ {2}(\S+)/.exec(line)?.[1] ?? []);
  const defaultText = defaultAt < 0 ? '' : joinLines(right.slice(defaultAt)).replace(/^Default:\s*/, '');
  return {
    name,
    ...(alias !== undefined && { alias }),
    ...(type !== undefined && { type }),
    ...(values.length > 0 && { values }),
    ...(defaultText !== '' && { default: defaultText.replace(/ /g, /^https?:/.test(defaultText) ? '' : ' ') }),
    description: joinLines(right.slice(0, Math.min(...ends))),
  };
}

const joinLines = (lines: readonly string[]) =>
  lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');

/** The lengths of descriptions that are tried, in this order, until the lines of all options fit. */
const DESCRIPTION_CHARS = [1000, 160, 100, 70, 50, 35, 20, 0];

/**
 * Returns a line for each option. Descriptions are shortened or omitted if the lines would exceed `maxChars`
 * characters.
 */
export function templateOptionLines(options: readonly TemplateOption[], maxChars: number): string[] {
  for (const chars of DESCRIPTION_CHARS) {
    const lines = options.map((option) => optionLine(option, chars));
    if (lines.join('\n').length <= maxChars) return lines;
  }
  return options.map((option) => optionLine(option, 0));
}

/** Returns for example `--auth, -au <None|SingleOrg> = None: The type of authentication`. */
function optionLine(
  { name, alias, type, values, default: defaultText, description }: TemplateOption,
  chars: number,
): string {
  const kind = values ? ` <${values.join('|')}>` : type === undefined || type === 'bool' ? '' : ` <${type}>`;
  const preset = defaultText === undefined || /^false$/i.test(defaultText) ? '' : ` = ${defaultText}`;
  const about = shortened(description, chars);
  return `${[name, alias].filter(Boolean).join(', ')}${kind}${preset}${about && `: ${about}`}`;
}

/** Shortens a text to whole words, with an ellipsis at the end. */
function shortened(text: string, chars: number): string {
  if (text.length <= chars || chars === 0) return chars === 0 ? '' : text;
  const end = text.lastIndexOf(' ', chars);
  return `${text.slice(0, end > chars / 2 ? end : chars)}…`;
}
