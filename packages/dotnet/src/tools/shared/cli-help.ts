/** A help page of the CLI as data. */
export interface CliHelp {
  readonly description?: string;
  readonly usage?: string;
  readonly arguments: readonly HelpEntry[];
  readonly options: readonly HelpEntry[];
  readonly commands: readonly HelpEntry[];
}

/** `-c, --configuration <CONFIGURATION>` and what it is for. */
export interface HelpEntry {
  readonly name: string;
  readonly description: string;
}

/** Sections of a help page by heading: `Options`, `SDK commands`. */
function sections(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, heading, rest = ''] = /^([A-Za-z][A-Za-z -]*):(?:\s+(.*))?$/.exec(line) ?? [];
    if (heading === undefined) lines.push(line);
    else {
      const key = heading.toLowerCase();
      lines = found.get(key) ?? [];
      found.set(key, lines);
      if (rest !== '') lines.push(`  ${rest}`);
    }
  }
  return found;
}

/** Entries are at two spaces; what is indented further belongs to the entry above it. */
function entries(lines: readonly string[]): HelpEntry[] {
  const found: { name: string; description: string[] }[] = [];
  for (const line of lines) {
    const [, name, description = ''] = /^ {2}(\S(?:\S| (?! ))*)(?: {2,}(.*))?$/.exec(line) ?? [];
    const last = found.at(-1);
    if (name !== undefined && !(name.startsWith('<') && last?.name.endsWith(','))) {
      found.push({ name, description: [description] });
    } else if (last && line.trim() !== '') last.description.push(line.trim());
  }
  return found.map(({ name, description }) => ({ name, description: description.join(' ').trim() }));
}

/** Reads a help page: those of System.CommandLine, of NuGet's commands and of the host. Never throws. */
export function parseHelp(text: string): CliHelp {
  const found = sections(text);
  const of = (pattern: RegExp) => [...found].filter(([heading]) => pattern.test(heading)).flatMap(([, lines]) => lines);
  const words = (heading: string) =>
    found
      .get(heading)
      ?.map((line) => line.trim())
      .filter(Boolean)
      .join(' ');
  const description = words('description');
  const usage = words('usage');
  return {
    ...(description && { description }),
    ...(usage && { usage }),
    arguments: entries(of(/^arguments$/)),
    options: entries(of(/options$/)),
    commands: entries(of(/\bcommands\b/)),
  };
}
