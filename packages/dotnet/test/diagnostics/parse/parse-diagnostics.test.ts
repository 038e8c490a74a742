import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createDiagnosticReader,
  type DiagnosticReport,
  parseDiagnostics,
} from '../../../src/diagnostics/parse/parse-diagnostics.js';
import { fixture, fixtureOutput } from '../fixture.js';

const report = (name: string) => parseDiagnostics(fixtureOutput(name) + fixtureOutput(name, 'stderr'));
const summaryOf = ({ diagnostics }: DiagnosticReport) =>
  diagnostics.map(({ severity, code, file, line, column }) =>
    [severity, code, file?.split('/').at(-1) ?? '', line ?? '', column ?? ''].join(' ').trim(),
  );
const one = (line: string) => parseDiagnostics(line).diagnostics[0];

describe('parseDiagnostics reads what the SDK printed', () => {
  it('C#, each diagnostic once although the summary repeats it', () => {
    expect(summaryOf(report('csharp'))).toEqual([
      'warning CS1030 A.cs 1 10',
      'error CS0103 A.cs 4 22',
      'error CS0029 A.cs 6 24',
      'error CS0246 A.cs 6 29',
      'warning CS0168 A.cs 6 37',
      'warning CS0618 A.cs 8 16',
      'warning CS8625 A.cs 5 16',
      'warning CS0414 A.cs 5 12',
    ]);
    expect(report('csharp')).toMatchObject({ errorCount: 3, warningCount: 5, succeeded: false });
    expect(report('csharp')).not.toHaveProperty('unparsedErrorCount');
  });

  it('C# at verbosity normal: prefixes, indentation and the grouped summary change nothing', () => {
    const { diagnostics } = report('csharp-normal');
    expect(diagnostics.map(({ raw: _, ...item }) => item)).toEqual(
      report('csharp').diagnostics.map(({ raw: _, ...item }) => item),
    );
  });

  it('C# warnings as errors, which carry no mark', () => {
    expect(report('csharp-warnaserror')).toMatchObject({ errorCount: 8, warningCount: 0 });
  });

  it('F#, whose messages have their line ends as control characters', () => {
    expect(summaryOf(report('fsharp'))).toEqual([
      'error FS0039 M.fs 2 11',
      'error FS0001 M.fs 3 18',
      'warning FS0025 M.fs 4 32',
    ]);
    expect(report('fsharp').diagnostics[1]!.message).toBe(
      "This expression was expected to have type\n    'int'    \nbut here has type\n    'string'",
    );
  });

  it('Visual Basic', () => {
    expect(report('visual-basic')).toMatchObject({ errorCount: 2, warningCount: 2 });
    expect(summaryOf(report('visual-basic'))[0]).toBe('error BC30451 M.vb 3 16');
  });

  it('a multi-targeted project: one entry with its frameworks, and no project in the message', () => {
    const [both, old] = report('multi-targeted').diagnostics;
    expect(both).toMatchObject({
      message: "The name 'nope' does not exist in the current context",
      projects: ['/src/multi/multi.csproj'],
      frameworks: ['net10.0', 'netstandard2.0'],
      count: 2,
    });
    expect(old).toMatchObject({ frameworks: ['netstandard2.0'] });
    expect(report('multi-targeted')).toMatchObject({ errorCount: 3 });
    expect(report('multi-targeted').unparsedErrorCount).toBeUndefined();
  });

  it('a solution with one broken project', () => {
    expect(report('solution').diagnostics).toMatchObject([{ code: 'CS0103', projects: ['/src/sln/bad/bad.csproj'] }]);
  });

  it.each([
    ['nu1101', 'NU1101', 1],
    ['nu1102', 'NU1102', 2],
    ['nu1202', 'NU1202', 4],
    ['nu1605', 'NU1605', 3],
    ['netsdk1147', 'NETSDK1147', 2],
    ['coded-several-lines', 'OWN002', 3],
  ])('%s as one error of %s with %d lines', (name, code, lineCount) => {
    const errors = report(name).diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code });
    expect(errors[0]!.message.split('\n')).toHaveLength(lineCount);
    expect(errors[0]!.raw.split('\n')).toHaveLength(lineCount);
    expect(report(name).unparsedErrorCount).toBeUndefined();
  });

  it.each(['task-exception', 'task-exception-normal'])('%s without the stack of the exception', (name) => {
    const [error, ...more] = report(name).diagnostics.filter(({ severity }) => severity === 'error');
    expect(more).toEqual([]);
    expect(error).toMatchObject({ code: 'MSB4018' });
    expect(error!.message).toMatch(/task failed unexpectedly\.\n\S*Exception: /);
    expect(error!.message).not.toMatch(/^\s+at /m);
    expect(error!.raw.split('\n')).toHaveLength(6);
  });

  it('neighbours of one code that are messages of their own', () => {
    const { diagnostics } = report('nu1101-nu1102');
    expect(diagnostics.map(({ code, message }) => `${code} ${message.split('\n').length}`)).toEqual([
      'NU1101 1',
      'NU1101 1',
      'NU1102 2',
      'NU1102 2',
    ]);
  });

  it('a batched task, whose warnings only the summary tells apart', () => {
    expect(report('task-batched').diagnostics.map(({ message }) => message)).toEqual([
      'item one',
      'item two',
      'item three',
    ]);
  });

  it('errors without a code', () => {
    expect(report('uncoded').diagnostics).toMatchObject([
      { severity: 'warning', code: 'MSBUILD_UNCODED', message: 'a warning of our own', line: 1, column: 146 },
      { severity: 'error', code: 'MSBUILD_UNCODED', message: 'an error of our own, version 2', line: 1, column: 184 },
    ]);
    expect(report('msb4236').diagnostics.map(({ code }) => code)).toEqual(['MSB4236', 'MSB4236']);
  });

  it.each([
    ['msb1001', 'MSB1001', 'Unknown switch.\nSwitch: --nope'],
    ['msb1009', 'MSB1009', 'Project file does not exist.\nSwitch: nope.csproj'],
    ['missing-absolute', 'MSB1009', 'Project file does not exist.\nSwitch: /no/such/Shop.csproj'],
    ['test-vstest-project', 'MSB1001', 'Unknown switch.\nSwitch: --project'],
  ])('%s with its switch and without the command line', (name, code, message) => {
    expect(report(name).diagnostics).toMatchObject([{ code, message }]);
    expect(report(name).diagnostics[0]).not.toHaveProperty('file');
  });

  it.each([
    ['package-add-unknown', 'NU1101', 1],
    ['package-add-version', 'NU1102', 2],
    ['package-add-framework', 'NU1202', 5],
  ])('%s in the form of NuGet itself, without what follows from any error', (name, code, lineCount) => {
    const errors = report(name).diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors).toMatchObject([{ code }]);
    expect(errors[0]!.message.split('\n')).toHaveLength(lineCount);
  });

  it('dotnet format on stderr, and tools that a build runs', () => {
    expect(summaryOf(report('format'))).toEqual(['error WHITESPACE A.cs 3 1', 'error WHITESPACE A.cs 3 8']);
    expect(summaryOf(report('exec-tool'))).toEqual([
      'error G1 gen.txt 3',
      'warning W7',
      'error MSB3073 a.csproj 1 146',
    ]);
  });

  it.each([
    'test-vstest',
    'test-vstest-n',
    'test-platform',
    'test-platform-under-vstest',
    'test-platform-none',
    'exit-155',
  ])('nothing in %s, whose failures are not diagnostics', (name) => {
    expect(report(name).diagnostics).toEqual([]);
  });

  it('MTP0001 unless the flags were ours', () => {
    const output = fixtureOutput('test-platform-under-vstest-trx');
    expect(parseDiagnostics(output).diagnostics).toMatchObject([
      { code: 'MTP0001', projects: ['/src/TA/TA.csproj', '/src/TB/TB.csproj'] },
    ]);
    expect(parseDiagnostics(output, { ignoredCodes: ['MTP0001'] }).diagnostics).toEqual([]);
  });

  it('a clean that succeeded', () => {
    expect(report('clean')).toEqual({ diagnostics: [], errorCount: 0, warningCount: 0, succeeded: true });
  });
});

describe('a line of a diagnostic', () => {
  it.each([
    ['/a b/c (1).cs(3): error X1: m', { file: '/a b/c (1).cs', line: 3 }],
    ['C:\\src\\A.cs(1,2): error X1: m', { file: 'C:\\src\\A.cs', line: 1, column: 2 }],
    ['\\\\host\\share\\A.cs(1,2-5): error X1: m', { line: 1, column: 2, endLine: 1, endColumn: 5 }],
    ['A.cs(1,2,3,4): error X1: m', { line: 1, column: 2, endLine: 3, endColumn: 4 }],
    ['A.cs(1-3): error X1: m', { line: 1, endLine: 3 }],
    ['NuGet.targets(782,5): error : NuGet.Config is not valid XML.', { code: 'MSBUILD_UNCODED', line: 782 }],
    ['CSC : error CS5001: m', { code: 'CS5001' }],
    ['CSC : fatal error CS0009: m', { code: 'CS0009', severity: 'error' }],
    ['A.cs(1,1): error NUnit1-001: m', { code: 'NUnit1-001' }],
    ['A.cs(1,1): warning xUnit1000: m', { code: 'xUnit1000', severity: 'warning' }],
    ['  1:7>A.cs(1,1): error CS0103: m', { code: 'CS0103', file: 'A.cs' }],
    ['10:22:33.123     1>A.cs(1,1): error CS0103: m', { code: 'CS0103', file: 'A.cs' }],
    ['\x1b[31;1mA.cs(1,1): \x1b[0merror CS0103: m\r', { code: 'CS0103', file: 'A.cs', message: 'm' }],
    ['error NU1101: m', { code: 'NU1101' }],
    ['NU1101: m', { code: 'NU1101', severity: 'error' }],
    ['NU1903: m', { code: 'NU1903', severity: 'warning' }],
    ['NU1605: m', { code: 'NU1605', severity: 'error' }],
    ['warn : NU1603: m', { code: 'NU1603', severity: 'warning' }],
    [
      '/w/a [x]/p.csproj : error X1: m [/w/a [x]/p.csproj::TargetFramework=net8.0]',
      { projects: ['/w/a [x]/p.csproj'], frameworks: ['net8.0'], message: 'm' },
    ],
    ['A.cs(1,1): error X1: see [docs]', { message: 'see [docs]', projects: [] }],
  ])('%s', (line, expected) => {
    expect(one(line)).toMatchObject(expected);
  });

  it.each([
    'Error CS0103: capital',
    'error occurred: prose',
    '  error: 1',
    'the error: prose',
    '  Failed T.M(s: "A.cs(1,2): error CS0103: x") [1 ms]',
    '[xUnit.net 00:00:01.00]     T.M(s: "x : error CS0001: no") [FAIL]',
    'noise x(y): error CS0001: no',
    'Unhandled exception. System.Exception: error: no',
    '    0 Error(s)',
    "/x/T.dll : error run failed: Tests failed: '/x/T.log' [net10.0|x64] [/x/T.csproj]",
  ])('is not read from %s', (line) => {
    expect(one(line)).toBeUndefined();
  });

  it('is counted as unparsed where the summary has more', () => {
    const output = 'Build FAILED.\n\nA.cs(1,1): error CS0103: m\nstrange line\n    0 Warning(s)\n    2 Error(s)\n';
    expect(parseDiagnostics(output)).toMatchObject({ errorCount: 2, unparsedErrorCount: 1 });
    expect(parseDiagnostics(output.replace('2 Error', '1 Error'))).not.toHaveProperty('unparsedErrorCount');
  });

  it('may be logged by a task of a build that calls itself a success', () => {
    const output =
      'a.proj(1,1): error : bad\n\nBuild succeeded.\n\na.proj(1,1): error : bad\n    0 Warning(s)\n    1 Error(s)\n';
    expect(parseDiagnostics(output)).toMatchObject({ errorCount: 1, succeeded: true });
  });
});

const SUMMARIES = readdirSync(new URL('../fixtures/', import.meta.url))
  .filter((name) => name.endsWith('.stdout.txt') && /^ {4}\d+ Error\(s\)/m.test(fixture(name)))
  .map((name) => name.replace('.stdout.txt', ''));

describe('the counts', () => {
  it.each(SUMMARIES)('are those of the summary in %s', (name) => {
    const counted = (what: string) =>
      [...fixtureOutput(name).matchAll(new RegExp(`^ {4}(\\d+) ${what}\\(s\\)`, 'gm'))].reduce(
        (sum, [, n]) => sum + Number(n),
        0,
      );
    expect(report(name)).toMatchObject({ errorCount: counted('Error'), warningCount: counted('Warning') });
  });

  const inProject = (name: string) => `/w/Shared.cs(1,5): warning CS0219: unused [/w/${name}/${name}.csproj]`;
  const both = [inProject('a'), inProject('b')];
  const counts = '    2 Warning(s)\n    0 Error(s)\n';

  it('are two of what two projects report, in one entry that names both', () => {
    const { diagnostics, ...rest } = parseDiagnostics(
      [...both, '', 'Build succeeded.', '', ...both, counts].join('\n'),
    );
    expect(rest).toMatchObject({ warningCount: 2, errorCount: 0 });
    expect(diagnostics).toMatchObject([{ count: 2, projects: ['/w/a/a.csproj', '/w/b/b.csproj'] }]);
  });

  it('are what was printed, where there is no summary', () => {
    expect(parseDiagnostics(both.join('\n'))).toMatchObject({ warningCount: 2 });
    expect(parseDiagnostics([both[0], both[0]].join('\n'))).toMatchObject({
      warningCount: 2,
      diagnostics: [{ count: 2 }],
    });
  });

  it('are without what is ignored, also where the summary counts it', () => {
    const line = 'x.targets(1,1): warning MTP0001: m [/w/a.csproj]';
    const output = [line, both[0], 'Build succeeded.', line, both[0], counts].join('\n');
    expect(parseDiagnostics(output, { ignoredCodes: ['MTP0001'] })).toMatchObject({ warningCount: 1 });
  });

  it('are of each summary and of what follows the last one', () => {
    const section = [both[0], 'Build succeeded.', both[0], '    1 Warning(s)\n    0 Error(s)\n'].join('\n');
    expect(parseDiagnostics([section, section, both[1]].join('\n'))).toMatchObject({ warningCount: 3 });
  });
});

describe('a code without a digit', () => {
  it.each([
    ['CSC : warning EnableGenerateDocumentationFile: Set it. [/w/a.csproj]', '/w/a.csproj'],
    ['CSC : warning EnableGenerateDocumentationFile: Set it.', undefined],
    ['A.cs(1,1): warning EnableGenerateDocumentationFile: Set it.', undefined],
    ['/w/some.analyzer : warning EnableGenerateDocumentationFile: Set it. [/w/a.csproj]', '/w/a.csproj'],
  ])('is read from %s', (line, project) => {
    expect(one(line)).toMatchObject({ code: 'EnableGenerateDocumentationFile', message: 'Set it.' });
    expect(one(line)!.projects[0]).toBe(project);
  });
});

it('an error without a message has words of its own', () => {
  expect(one('/w/a.csproj(3,5): error : [/w/a.csproj]')!.message).toBe('The tool reported this without a message.');
});

describe('the reader', () => {
  it('gives line by line what the whole text gives', () => {
    const output = fixtureOutput('csharp-normal');
    const reader = createDiagnosticReader();
    for (const line of output.split('\n')) reader.line(line);
    expect(reader.end()).toEqual(parseDiagnostics(output));
  });

  it('reads any text, and finds in CRLF what it finds in LF', () => {
    const word = fc.constantFrom(
      'error',
      'warning',
      ':',
      ' ',
      'CS0103',
      'A.cs(1,2)',
      '[p.csproj]',
      'Build FAILED.',
      '\n',
      '1>',
      '(',
      'é',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const text = words.join('');
        expect(parseDiagnostics(text.replaceAll('\n', '\r\n'))).toEqual(parseDiagnostics(text));
      }),
      { numRuns: 300 },
    );
  });

  const ODD = [
    `${'error '.repeat(600)}\n`,
    `${'x error: '.repeat(600)}\n`,
    `${'x.y error: '.repeat(380)}\n`,
    `${'('.repeat(4000)}: error\n`,
    `a.cs(1,1): error X1: ${' ['.repeat(2000)}]\n`,
    `error${' '.repeat(4000)}x\n`,
  ];
  /** A reader that is not linear would need hours: it would never come to the end of these. */
  const LONG_CHARS = 4_000_000;

  it.each([...ODD, 'x error: ', '('])('comes to the end of four million characters of %.30s', (text) => {
    const { diagnostics } = parseDiagnostics(text.repeat(LONG_CHARS / text.length));
    expect(diagnostics.length).toBeLessThan(LONG_CHARS);
  });
});
