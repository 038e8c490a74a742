import { isObject, type Json } from '../json/json.js';

interface Diagnostic {
  readonly severity: string;
  readonly code: string;
  readonly message: string;
  readonly file: string;
  readonly line: string;
  readonly project: string;
}

const MAX_ROWS = 500;

/** Shows the errors and warnings that have a file, grouped by project. */
export function Diagnostics({ data }: { data: Readonly<Record<string, Json>> }) {
  const all = [
    ...readDiagnostics(data.errors, 'error'),
    ...readDiagnostics(data.warnings, 'warning'),
    ...readDiagnostics(data.diagnostics, 'warning'),
  ];
  if (all.length === 0) return null;
  const projects = [...new Set(all.map(({ project }) => project))];
  return (
    <div class="diagnostics">
      {projects.map((project) => (
        <DiagnosticTable key={project} project={project} rows={all.filter((row) => row.project === project)} />
      ))}
    </div>
  );
}

function DiagnosticTable({ project, rows }: { project: string; rows: readonly Diagnostic[] }) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={`Diagnostics ${project}`}>
      <table>
        <caption>
          {project || 'Diagnostics'} <span class="count">{rows.length}</span>
        </caption>
        <thead>
          <tr>
            <th scope="col">Severity</th>
            <th scope="col">Code</th>
            <th scope="col">Message</th>
            <th scope="col">File</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row, index) => (
            <tr key={index}>
              <td class={row.severity === 'error' ? 'bad' : 'warn'}>{row.severity}</td>
              <td>
                <code>{row.code}</code>
              </td>
              <td>{row.message}</td>
              <td>
                <code title={row.file}>
                  {row.file.split(/[\\/]/).at(-1)}
                  {row.line && `:${row.line}`}
                </code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MAX_ROWS && <p class="hint">{rows.length - MAX_ROWS} more are in the data.</p>}
    </div>
  );
}

/**
 * Reads the diagnostics that have a file. The error card shows errors without one.
 * @param severity the severity of entries that name none
 */
function readDiagnostics(list: Json | undefined, severity: string): Diagnostic[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).flatMap((entry) => {
    if (typeof entry.file !== 'string') return [];
    const data = isObject(entry.data) && isObject(entry.data.additionalData) ? entry.data.additionalData : {};
    return [
      {
        severity: String(entry.severity ?? severity),
        code: String(entry.code ?? ''),
        message: String(entry.message ?? ''),
        file: entry.file,
        line: [entry.line, entry.column].filter((part) => part !== undefined).join(','),
        project: String(entry.project ?? data.project ?? ''),
      },
    ];
  });
}
