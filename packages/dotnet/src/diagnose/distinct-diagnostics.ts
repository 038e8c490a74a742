import type { Diagnostic } from './diagnostic.js';
import type { Message } from './message-lines.js';

type Collected = Omit<Diagnostic, 'projects' | 'frameworks'> & { projects: Set<string>; frameworks: Set<string> };

/** What the F# compiler prints in place of the line ends of a message. */
const FSHARP_LINE_END = '\x1d';

/** One diagnostic for all messages that agree in severity, code, file, line, column and text (errors.md §1). */
export function distinctDiagnostics(messages: readonly Message[]): Diagnostic[] {
  const byKey = new Map<string, Collected>();
  for (const { head, code, lines, raw } of messages) {
    const { severity, place, project, framework } = head;
    const message = lines.join('\n').replaceAll(FSHARP_LINE_END, '\n').trim();
    const key = [severity, code, place.file, place.line, place.column, message].join('\0');
    let collected = byKey.get(key);
    if (!collected) {
      collected = {
        severity,
        code,
        message,
        ...place,
        projects: new Set(),
        frameworks: new Set(),
        raw: raw.join('\n'),
      };
      byKey.set(key, collected);
    }
    if (project !== undefined) collected.projects.add(project);
    if (framework !== undefined) collected.frameworks.add(framework);
  }
  return [...byKey.values()].map((each) => ({
    ...each,
    projects: [...each.projects],
    frameworks: [...each.frameworks],
  }));
}
