import { Fragment } from 'preact';
import { isObject, type Json } from '../json/json.js';
import { formatMs, formatNumber } from './parts.js';
import { countsText, type TestCounts } from './test-counts.js';

/**
 * Shows the results of a test run (docs/spec/dotnet-results.md#test-fields): bars of the counts, the failures, and the
 * coverage. Shows nothing if the data has no test counts.
 */
export function TestResults({ data }: { data: Readonly<Record<string, Json>> }) {
  const { passed, failed, skipped, total, durationMs } = data;
  if (typeof passed !== 'number' || typeof failed !== 'number' || typeof total !== 'number') return null;
  const failures = Array.isArray(data.firstFailures) ? data.firstFailures.filter(isObject) : [];
  const assemblies = Array.isArray(data.assemblies) ? data.assemblies.filter(isObject) : [];
  return (
    <section class="tests" aria-label="Test results">
      <CountBar label="All tests" passed={passed} failed={failed} skipped={Number(skipped ?? 0)} />
      {typeof durationMs === 'number' && <p class="hint">{formatMs(durationMs)}</p>}
      {assemblies.length > 1 &&
        assemblies.map((assembly, index) => (
          <CountBar
            key={index}
            label={String(assembly.name)}
            passed={typeof assembly.passed === 'number' ? assembly.passed : undefined}
            failed={Number(assembly.failed)}
            skipped={Number(assembly.skipped)}
          />
        ))}
      {failures.map((failure, index) => (
        <details key={index} open>
          <summary>{String(failure.displayName ?? failure.testName)}</summary>
          <pre class="text" tabIndex={0}>
            {[failure.message, failure.stackTrace].filter((text) => typeof text === 'string').join('\n\n')}
          </pre>
        </details>
      ))}
      <Coverage coverage={data.coverage} />
    </section>
  );
}

function CountBar({ label, ...counts }: TestCounts & { label: string }) {
  const { passed = 0, failed, skipped } = counts;
  const total = Math.max(1, passed + failed + skipped);
  const text = countsText(counts);
  const share = (count: number) => ({ width: `${(count / total) * 100}%` });
  return (
    <div class="count-bar">
      <span>
        {label}: {text}
      </span>
      <div class="bar" role="img" aria-label={text}>
        <span class="bar-good" style={share(passed)} />
        <span class="bar-bad" style={share(failed)} />
        <span class="bar-skipped" style={share(skipped)} />
      </div>
    </div>
  );
}

/** Shows the member `coverage` of a result (docs/spec/dotnet-tests.md#coverage). */
function Coverage({ coverage }: { coverage: Json | undefined }) {
  if (!isObject(coverage)) return null;
  const files = Array.isArray(coverage.files) ? coverage.files.filter(isObject) : [];
  return (
    <section class="coverage" aria-label="Coverage">
      <dl class="facts">
        {(['lines', 'branches'] as const).map((unit) => (
          <div key={unit}>
            <dt>Coverage of {unit}</dt>
            <dd>{shareOf(coverage[unit])}</dd>
          </div>
        ))}
      </dl>
      {files.length > 0 && (
        <div class="table-scroll" tabIndex={0} role="region" aria-label="Coverage of files">
          <table>
            <caption>The least covered files</caption>
            <thead>
              <tr>
                <th scope="col">File</th>
                <th scope="col">Lines</th>
                <th scope="col">Branches</th>
              </tr>
            </thead>
            <tbody>
              {files.map(({ file, lines, branches }, index) => (
                <tr key={index}>
                  <td>
                    <FileName name={String(file)} />
                  </td>
                  <td>{shareOf(lines)}</td>
                  <td>{shareOf(branches)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {typeof coverage.omittedFiles === 'number' && (
        <p class="hint">{formatNumber(coverage.omittedFiles)} more files are covered better.</p>
      )}
    </section>
  );
}

/** Shows a file name that can be wrapped after a slash or underscore, or before a dot. */
function FileName({ name }: { name: string }) {
  return (
    <code>
      {name.split(/(?<=[\\/_])|(?=\.)/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </code>
  );
}

function shareOf(covered: Json | undefined): string {
  if (!isObject(covered) || typeof covered.percent !== 'number') return '–';
  return `${covered.percent} % (${formatNumber(Number(covered.covered))} of ${formatNumber(Number(covered.total))})`;
}
