import type { Diagnostic } from './diagnostic.js';
import type { DiagnosticLine } from './diagnostic-line.js';

/** What the F# compiler prints in place of the line ends of a message. */
const FSHARP_LINE_END = '\x1d';

/** A message to be found or added. */
export interface Printed {
  readonly head: DiagnosticLine;
  readonly code: string;
  readonly text: string;
  readonly raw: string;
  /** Where it stands among the others. */
  readonly order: number;
}

interface Member extends Pick<DiagnosticLine, 'severity' | 'file' | 'line' | 'column' | 'endLine' | 'endColumn'> {
  readonly code: string;
  readonly message: string;
  readonly raw: string;
  readonly order: number;
  projects: readonly string[];
  frameworks: readonly string[];
}

/** Of each severity; further ones are counted. Results show fewer (errors.md §1). */
export const MAX_KEPT = 1000;

/** Diagnostics, each once: those that agree in severity, code, file, line, column and text are one (errors.md §1). */
export class DiagnosticSet {
  readonly #members = new Map<string, Member>();
  readonly #further = new Set<string>();
  readonly #counts = { error: 0, warning: 0 };
  /** Lists of one name: most diagnostics of a project share theirs. */
  readonly #singles = new Map<string, readonly string[]>();

  add({ head, code, text, raw, order }: Printed): void {
    const { severity, file, line, column, endLine, endColumn, project, framework } = head;
    const message = (text.includes(FSHARP_LINE_END) ? text.replaceAll(FSHARP_LINE_END, '\n') : text).trim();
    const key = `${severity} ${code} ${line} ${column} ${file}\0${message}`;
    const known = this.#members.get(key);
    if (known) {
      known.projects = this.#with(known.projects, project);
      known.frameworks = this.#with(known.frameworks, framework);
      return;
    }
    if (this.#further.has(key)) return;
    this.#counts[severity]++;
    if (this.#counts[severity] > MAX_KEPT) {
      this.#further.add(key);
      return;
    }
    const projects = this.#with(NONE, project);
    const frameworks = this.#with(NONE, framework);
    const place = { file, line, column, endLine, endColumn };
    this.#members.set(key, { severity, code, message, ...place, projects, frameworks, raw, order });
  }

  count(severity: Diagnostic['severity']): number {
    return this.#counts[severity];
  }

  /** By the order of their first appearance. */
  list(): Diagnostic[] {
    return [...this.#members.values()].sort((a, b) => a.order - b.order).map(toDiagnostic);
  }

  #with(names: readonly string[], name: string | undefined): readonly string[] {
    if (name === undefined || names.includes(name)) return names;
    if (names.length > 0) return [...names, name];
    let single = this.#singles.get(name);
    if (single === undefined) {
      single = [name];
      this.#singles.set(name, single);
    }
    return single;
  }
}

const NONE: readonly string[] = [];

function toDiagnostic(member: Member): Diagnostic {
  const { severity, code, message, file, line, column, endLine, endColumn, projects, frameworks, raw } = member;
  return {
    severity,
    code,
    message,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(endLine !== undefined && { endLine }),
    ...(endColumn !== undefined && { endColumn }),
    projects,
    frameworks,
    raw,
  };
}
