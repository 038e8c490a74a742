import { describe, expect, it } from 'vitest';
import { CODE_ADVICE } from '../../../src/advice/code-advice.js';
import {
  CATALOG_CODES,
  categoryOf,
  findCode,
  lookupOf,
  mcpErrorCodeOf,
} from '../../../src/advice/codes/code-catalog.js';
import { CODES } from '../../../src/advice/codes/codes.js';
import { documentationUrlFor } from '../../../src/advice/codes/documentation-url.js';
import { ROOT_CAUSE_KINDS } from '../../../src/advice/codes/root-cause-kind.js';
import { codeTool } from '../../../src/tools/code/index.js';
import report from '../../diagnostics/provoked/report.json' with { type: 'json' };

const LEARN = 'https://learn.microsoft.com/en-us';
const REFERENCE = (
  'CS0019 CS0029 CS0103 CS0115 CS0116 CS0119 CS0120 CS0122 CS0128 CS0161 CS0165 CS0188 CS0234 CS0246 CS0507 CS0539 ' +
  'CS1001 CS1002 CS1061 CS1503 CS1513 CS7036 CS8600 MSB1003 MSB3073 MSB3202 MSB3275 MSB3277 MSB3321 MSB3644 MSB4019 ' +
  'MSB4062 MSB4236 NETSDK1004 NETSDK1005 NETSDK1013 NETSDK1022 NETSDK1045 NETSDK1064 NETSDK1082 NETSDK1100 NETSDK1141 ' +
  'NU1101 NU1102 NU1103 NU1106 NU1107 NU1201 NU1213 NU1403 NU1603 NU1605'
).split(' ');

describe('the dictionary', () => {
  it('knows the codes of the reference and many more', () => {
    expect(REFERENCE).toHaveLength(52);
    expect(REFERENCE.filter((code) => !findCode(code))).toEqual([]);
    expect(CATALOG_CODES.length).toBeGreaterThanOrEqual(150);
    expect(new Set(CATALOG_CODES).size).toBe(CATALOG_CODES.length);
  });

  it.each('CS1998 CS1502 CS8019 NETSDK1174 NETSDK1182 NETSDK1190 NETSDK1219'.split(' '))(
    'leaves out %s, which the toolchain does not print',
    (code) => {
      expect(findCode(code)).toBeUndefined();
    },
  );

  it.each(CATALOG_CODES)('%s has all that an error needs', (code) => {
    const { title, explanation, hint, suggestedFixes, documentationUrl, rootCauseKind } = findCode(code)!;
    expect(title).toMatch(/^\S.{3,60}$/);
    expect(explanation).toMatch(/^\S.{10,250}\.$/s);
    expect(hint).toMatch(/^\S.{5,160}[.:]$/);
    expect(suggestedFixes.length).toBeGreaterThan(0);
    for (const fix of suggestedFixes) expect(fix).toMatch(/^\S.*[^.\s]$/);
    if (/\d/.test(code)) expect(documentationUrl).toMatch(/^https:\/\//);
    expect(rootCauseKind === undefined).toBe(code === 'MTP0001');
  });

  it('names causes and rules of advice that exist, and each rule is of some code', () => {
    const infos = [...CODES.values()];
    const causes = infos.flatMap(({ rootCause }) => rootCause ?? []);
    expect(causes.filter((cause) => !(ROOT_CAUSE_KINDS as readonly string[]).includes(cause))).toEqual([]);
    const advice = new Set(infos.flatMap((info) => info.advice ?? []));
    expect([...advice].sort()).toEqual(Object.keys(CODE_ADVICE).sort());
  });

  it('finds in the messages of the compiler what to look up', () => {
    const codes = CATALOG_CODES.filter((code) => CODES.get(code)?.lookup);
    const provoked: Readonly<Record<string, { readonly message: string }>> = report.provoked;
    const lookups = codes.map((code) => [code, lookupOf(code, provoked[code]!.message)]);
    expect(Object.fromEntries(lookups)).toEqual({
      CS0117: { action: 'Outline', symbol: 'C' },
      CS1061: { action: 'Outline', symbol: 'string' },
      CS1729: { action: 'Outline', symbol: 'A' },
      CS7036: { action: 'Definition', symbol: 'C.F(int)' },
    });
    for (const code of codes) expect(Object.keys(codeTool.actions)).toContain(CODES.get(code)!.lookup!.action);
    expect(lookupOf('CS1061', 'Another message')).toBeUndefined();
    expect(lookupOf('CS0019', provoked.CS1061!.message)).toBeUndefined();
  });

  it('looks codes up in any letter case, with white space around them', () => {
    expect(findCode('  nu1101 ')?.code).toBe('NU1101');
    expect(findCode('NU1101ABC')).toBeUndefined();
  });

  it.each([
    ['CS0188', /struct/],
    ['MSB3202', /not there/],
    ['MSB3275', /higher framework/],
    ['NETSDK1082', /runtime pack/],
    ['NETSDK1100', /another operating system/],
    ['NETSDK1141', /global\.json/],
    ['NU1107', /dependency graph/],
    ['NU1213', /of a type/],
    ['NU1603', /next higher/],
    ['NU1015', /no version/],
  ])('%s means what the tool means', (code, meaning) => {
    expect(findCode(code)!.explanation).toMatch(meaning);
  });

  it('keeps the hints of the contract', () => {
    expect(findCode('CS0103')!.hint).toBe(
      'The name does not exist in the current context. Check for typos or missing using directives.',
    );
    expect(findCode('NU1101')!.hint).toBe('Unable to find package. Check package name and source.');
    expect(findCode('MSB1001')!.hint).toBe('Unrecognized option. Check the command syntax.');
  });
});

describe('categories', () => {
  it.each([
    ['CS0103', 'Compilation'],
    ['FS0039', 'Compilation'],
    ['BC30451', 'Compilation'],
    ['MSB4018', 'Build'],
    ['MSBUILD_UNCODED', 'Build'],
    ['nu1101', 'Package'],
    ['NETSDK1045', 'Runtime'],
    ['EXIT_1', 'Unknown'],
    ['COMMAND_FAILED', 'Unknown'],
    ['NUGET_UNCODED', 'Package'],
    ['CA1822', 'Build'],
    ['NU1101_CUSTOM', 'Package'],
  ])('%s is %s', (code, category) => {
    expect(categoryOf(code)).toBe(category);
  });

  it('of analyzers are told by the place', () => {
    expect(categoryOf('CA1822', { file: '/a.cs', line: 1 })).toBe('Compilation');
    expect(categoryOf('xUnit1000', { file: '/a.cs' })).toBe('Build');
    expect(categoryOf('MSBUILD_UNCODED', { file: '/sdk/NuGet.targets', line: 782 })).toBe('Package');
    expect(categoryOf('OWN1', { file: '/a.csproj', line: 1 })).toBe('Build');
  });
});

describe('mcpErrorCode', () => {
  it.each([
    ['NU1101', -32002],
    ['NU1102', -32002],
    ['msb1003', -32002],
    ['NETSDK1004', -32002],
    ['MSB4236', -32002],
    ['MSB1009', -32002],
    ['MSB3202', -32002],
    ['NETSDK1064', -32002],
    ['EXIT_1', -32603],
    ['EXIT_-1', -32603],
  ])('of %s is %d', (code, mcpErrorCode) => {
    expect(mcpErrorCodeOf(code)).toBe(mcpErrorCode);
  });

  it.each([
    'CS0103',
    'MSB3644',
    'NETSDK1045',
    'CS1001',
    'CS1513',
    'NU1101ABC',
    'XNU1101',
    'NU1101_CUSTOM',
    'MSB1003_TEST',
    'PREFIX_MSB4236',
    'constructor',
    'EXIT_',
  ])('of %s is absent', (code) => {
    expect(mcpErrorCodeOf(code)).toBeUndefined();
  });
});

describe('documentation', () => {
  it.each([
    ['CS0103', `${LEARN}/dotnet/csharp/language-reference/compiler-messages/cs0103`],
    ['CS1002', `${LEARN}/dotnet/csharp/misc/cs1002`],
    [
      'CS8600',
      `${LEARN}/dotnet/csharp/language-reference/compiler-messages/nullable-warnings#possible-null-assigned-to-a-nonnullable-reference`,
    ],
    ['MSB3202', `${LEARN}/visualstudio/msbuild/errors/msb3202`],
    ['NETSDK1045', `${LEARN}/dotnet/core/tools/sdk-errors/netsdk1045`],
    ['NETSDK1129', `${LEARN}/dotnet/core/tools/sdk-errors/`],
    ['nu1101', `${LEARN}/nuget/reference/errors-and-warnings/nu1101`],
    ['NU1903', `${LEARN}/nuget/reference/errors-and-warnings/nu1901-nu1904`],
    ['CA1822', `${LEARN}/dotnet/fundamentals/code-analysis/quality-rules/ca1822`],
    ['xUnit1004', 'https://xunit.net/xunit.analyzers/rules/xUnit1004'],
    ['CS9999', `${LEARN}/search/?terms=CS9999`],
    ['FS0039', `${LEARN}/search/?terms=FS0039`],
    ['OWN1', `${LEARN}/search/?terms=OWN1`],
  ])('of %s is at %s', (code, url) => {
    expect(documentationUrlFor(code)).toBe(url);
  });

  it.each(['EXIT_1', 'MSBUILD_UNCODED', ''])('of %j does not exist', (code) => {
    expect(documentationUrlFor(code)).toBeUndefined();
  });
});
