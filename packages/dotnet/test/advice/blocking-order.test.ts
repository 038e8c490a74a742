import { describe, expect, it } from 'vitest';
import { failureOf } from '../../src/advice/failure.js';
import { parseDiagnostics } from '../../src/diagnostics/parse/parse-diagnostics.js';
import { runOf } from '../diagnostics/fixture.js';

const SOLUTION = '/src/All.slnx';
const line = (project: string, rest: string) => `/src/${project}/${project}.csproj : ${rest} [${SOLUTION}]`;
const unknown = (project: string) =>
  line(project, 'error NU1101: Unable to find package Lost.One. No packages exist with this id in source(s): feed');
const higher = (project: string, severity = 'error', prefix = 'Warning As Error: ') =>
  line(
    project,
    `${severity} NU1603: ${prefix}${project} depends on Old (>= 1.0.0) but Old 1.0.0 was not found. Old 2.0.0 was resolved instead.`,
  );
const SDK = [
  '/src/S/S.csproj : error : Could not resolve SDK "MSTest.Sdk". Exactly one of the probing messages below indicates why.',
  '/src/S/S.csproj : error :   Unable to find package MSTest.Sdk with version (= 94.0.2)',
];
const SOURCE = line('A', "error NU1301: The local source '/src/feed' doesn't exist.");
const COMPILER = '/src/A/A.cs(1,1): error CS0103: The name is unknown [/src/A/A.csproj]';
const OWN = '/src/A/A.csproj(3,4): error : Coverage is too low [/src/A/A.csproj]';

const failed = (lines: readonly string[]) =>
  failureOf({ ...runOf('none', 1, ['restore', SOLUTION]), output: lines.join('\n') }, { label: 'Restore' });
const codesOf = (lines: readonly string[]) => failed(lines).errors.map(({ code }) => code);

describe('the order of errors', () => {
  it('begins with a source that does not answer, where its warning is an error', () => {
    const dead = line('A', 'error NU1801: Warning As Error: Unable to load the service index for source http://dead/.');
    expect(codesOf([unknown('A'), dead])).toEqual(['NU1801', 'NU1101']);
  });

  const lines = [OWN, higher('A'), COMPILER, unknown('A'), SOURCE, ...SDK];

  it('begins with what blocks the rest: SDK, sources, missing packages; warnings as errors come late', () => {
    const order = ['MSB4236', 'NU1301', 'NU1101', 'CS0103', 'NU1603', 'MSBUILD_UNCODED'];
    expect(codesOf(lines)).toEqual(order);
  });

  it('does not depend on the order of the output', () => {
    const forwards = failed(['A', 'B', 'C'].flatMap((project) => [higher(project), unknown(project)]));
    const backwards = failed(['C', 'B', 'A'].flatMap((project) => [unknown(project), higher(project)]));
    const shown = ({ errors }: typeof forwards) => errors.map(({ rawOutput: _, ...error }) => error);
    expect(shown(backwards)).toEqual(shown(forwards));
    expect(forwards.errors[0]!.code).toBe('NU1101');
  });

  it('of the errors of one project is the order of the output', () => {
    const compiler = (code: string, at: number) => `/src/A/A.cs(${at},1): error ${code}: m [/src/A/A.csproj]`;
    expect(codesOf([compiler('CS9999', 1), compiler('CS0001', 2)])).toEqual(['CS9999', 'CS0001']);
  });

  it('takes an SDK that cannot be resolved for MSB4236, whoever reports it', () => {
    const listing = "error: The SDK 'MSTest.Sdk/4.0.2' specified could not be found.  /src/S/S.csproj";
    expect(codesOf([listing])).toEqual(['MSB4236']);
    expect(failed(SDK).errors[0]).toMatchObject({ rootCauseKind: 'MissingSdk', mcpErrorCode: -32002 });
  });
});

describe('a package that several projects lack', () => {
  it('is one entry with all projects, without a file of its own', () => {
    const { errors, structured } = failed([...['C', 'A', 'B'].map(unknown), higher('B'), higher('A')]);
    expect(errors.map(({ code }) => code)).toEqual(['NU1101', 'NU1603']);
    expect(errors[0]).not.toHaveProperty('file');
    expect(errors[0]!.data!.additionalData).toMatchObject({
      project: '/src/A/A.csproj',
      projects: '/src/A/A.csproj; /src/B/B.csproj; /src/C/C.csproj',
    });
    expect(errors[1]!.message).toContain('A depends on Old');
    expect(structured).toMatchObject({ errorCount: 5 });
    expect(structured).not.toHaveProperty('omittedErrors');
  });

  it('lists at most twenty of them, and counts all', () => {
    const { errors } = failed(Array.from({ length: 30 }, (_, index) => unknown(`P${index}`)));
    const { projects = '', projectCount } = errors[0]!.data!.additionalData!;
    expect(projects.split('; ')).toHaveLength(20);
    expect(projectCount).toBe('30');
  });

  it('is a warning once too', () => {
    const { diagnostics, warningCount } = parseDiagnostics(
      [higher('A', 'warning', ''), higher('B', 'warning', '')].join('\n'),
    );
    expect(diagnostics).toHaveLength(1);
    expect(warningCount).toBe(2);
  });

  it('stays apart where what is asked of it differs', () => {
    expect(codesOf([unknown('A'), unknown('B').replace('Lost.One', 'Lost.Two')])).toEqual(['NU1101', 'NU1101']);
  });
});

it('a failed restore shows the projects that were not restored', () => {
  const skipped = "Skipping restore for project '/src/S/S.csproj'. The project file may be invalid.";
  const { errors } = failed([unknown('A'), line('S', `warning NU1503: ${skipped}`)]);
  expect(errors[0]!.data!.additionalData!.warnings).toContain(`warning NU1503: ${skipped}`);
});
