import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectInEveryHost, type HalvesLimit, type HostResult } from '../support/host-profiles.js';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const reference = (id: string, version: string) => `<PackageReference Include="${id}" Version="${version}" />`;
const XUNIT = ['Microsoft.NET.Test.Sdk 18.0.1', 'xunit 2.9.3', 'xunit.runner.visualstudio 3.1.5']
  .map((item) => reference(...(item.split(' ') as [string, string])))
  .join('');

const FILES = {
  'many/many.csproj': projectXml(CONSOLE),
  'many/Program.cs': numbers(60)
    .map((n) => `Console.WriteLine(undefinedName${n});`)
    .join('\n'),
  'mixed/mixed.csproj': projectXml(CONSOLE),
  'mixed/Program.cs': [
    'int a = "x";',
    'Console.WriteLine(nope);',
    'Missing m = null;',
    ...numbers(30).map((n) => `int w${n} = 1;`),
  ].join('\n'),
  'warn/warn.csproj': projectXml(CONSOLE),
  'warn/Program.cs': numbers(14)
    .map((n) => `int w${n} = 1;`)
    .join('\n'),
  'tests/tests.csproj': projectXml('', `<ItemGroup>${XUNIT}</ItemGroup>`),
  'tests/T.cs': `using Xunit;
namespace Shop.Orders.Tests;
public class PriceTests
{
  [Fact] public void Good() {}
  [Fact(Skip = "not yet")] public void Later() {}
${numbers(5)
  .map((n) => `  [Fact] public void A_total_with_discount_is_rounded_${n}() => Assert.Equal(${n}, ${n + 1});`)
  .join('\n')}
}
`,
  'long/long.csproj': projectXml(CONSOLE),
  'long/Program.cs':
    'for (var i = 0; i < 3000; i++) Console.WriteLine($"line {i} of many"); Console.Error.WriteLine("the last word");',
  'crash/crash.csproj': projectXml(CONSOLE),
  'crash/Program.cs': 'Console.WriteLine("working"); Console.Error.WriteLine("data.txt is broken"); return 3;',
  'All.slnx': '<Solution><Project Path="tests/tests.csproj" /><Project Path="warn/warn.csproj" /></Solution>',
};

interface Row {
  title: string;
  tool?: string;
  args: Record<string, unknown>;
  expected: (string | RegExp)[];
  maxBytes?: HalvesLimit;
  isError?: true;
}

const KB = 1024;
const RUN = /mortise:\/\/outputs\/[\w-]+/;
const project = (action: string, args: object = {}) => ({ action, ...args });

const ROWS: Row[] = [
  {
    title: 'a build with 60 errors',
    args: project('Build', { project: 'many/many.csproj' }),
    expected: ['CS0103', 'undefinedName0', 'undefinedName19', 'many.csproj', /60 error/, RUN, 'cs0103', 'Check'],
    maxBytes: { text: 6 * KB, structured: 12 * KB },
    isError: true,
  },
  {
    title: 'a build with errors of several codes, and warnings',
    args: project('Build', { project: 'mixed/mixed.csproj' }),
    expected: ['CS0029', 'CS0103', 'CS0246', /3 error/, /30 warning/, RUN],
    maxBytes: { text: 6 * KB, structured: 12 * KB },
    isError: true,
  },
  {
    title: 'a build with warnings',
    args: project('Build', { project: 'warn/warn.csproj', noIncremental: true }),
    expected: [/[Bb]uild succeeded/, 'CS0219', 'w9', /\b14\b/, RUN],
    maxBytes: { text: 4 * KB, structured: 6 * KB },
  },
  {
    title: 'tests of which 5 fail',
    args: project('Test', { project: 'tests/tests.csproj' }),
    expected: [
      ...numbers(5).map((n) => `A_total_with_discount_is_rounded_${n}`),
      /Expected: 0/,
      /Actual: {3}1/,
      'T.cs:line ',
      /5 of 7/,
      RUN,
    ],
    maxBytes: { text: 3 * KB, structured: 5 * KB },
    isError: true,
  },
  {
    title: 'the options of a template',
    args: project('ListTemplateOptions', { template: 'webapi' }),
    expected: ['--auth', '-au', 'SingleOrg', '--use-controllers', '--no-openapi', 'b2c_1_susi'],
    maxBytes: { text: 2 * KB, structured: 4 * KB },
  },
  {
    title: 'the packages of a solution',
    tool: 'dotnet_package',
    args: { action: 'List', project: 'All.slnx' },
    expected: ['tests.csproj', 'xunit', '2.9.3', 'requested', 'resolved', 'net10.0'],
    maxBytes: { text: 1 * KB, structured: 2 * KB },
  },
  {
    title: 'a program with a long output',
    args: project('Run', { project: 'long/long.csproj' }),
    expected: ['line 2999 of many', 'the last word', RUN],
    maxBytes: { text: 20_000, structured: 10 * KB },
  },
  {
    title: 'a program that fails',
    args: project('Run', { project: 'crash/crash.csproj' }),
    expected: ['EXIT_3', 'data.txt is broken', 'working', RUN],
    maxBytes: { text: 1 * KB, structured: 2 * KB },
    isError: true,
  },
  {
    title: 'an action that there is none of',
    args: project('Bild'),
    expected: ['INVALID_PARAMS', 'Bild', "Did you mean 'Build'?", 'ListTemplateOptions'],
    maxBytes: { text: 1 * KB, structured: 2 * KB },
    isError: true,
  },
  {
    title: 'a project that is not there',
    args: project('Build', { project: 'nope/nope.csproj' }),
    expected: ['MSB1009', 'nope.csproj', RUN],
    maxBytes: { text: 3 * KB, structured: 4 * KB },
    isError: true,
  },
  { title: 'a version', tool: 'dotnet_sdk', args: { action: 'Version' }, expected: [/\d+\.\d+\.\d+/] },
];

describeRecorded('what each host shows of a result', () => {
  let server: SdkServer;
  const schemas = new Map<string, object | undefined>();
  beforeAll(async () => {
    server = await startSdkServer(FILES);
    for (const { name, outputSchema } of (await server.client.listTools()).tools) schemas.set(name, outputSchema);
  });
  afterAll(() => server?.close());

  it.each(ROWS)('$title', async ({ tool = 'dotnet_project', args, expected, maxBytes, isError }) => {
    const answered = await server.client.callTool({ name: tool, arguments: args }, { timeout: 240_000 });
    // How long paths are is not what is measured.
    const text = JSON.stringify(answered).replaceAll(server.workplace.folder, '/work');
    const result = JSON.parse(text) as HostResult;
    expect(result.isError).toBe(isError);
    expectInEveryHost(result, expected, { outputSchema: schemas.get(tool), ...(maxBytes && { maxBytes }) });
  });

  it('lists every error of 60, with their help once', async () => {
    const { data } = await server.project('Build', { project: 'many/many.csproj', noRestore: true });
    expect(data.errors.length + (data.omittedErrors ?? 0)).toBe(60);
    expect(data.errors.length).toBeGreaterThan(30);
    expect(Object.keys(data.codes)).toEqual(['CS0103']);
    expect(data.errors.filter((error: object) => 'hint' in error)).toHaveLength(1);
    expect(
      data.errors
        .slice(1)
        .map(({ rawOutput }: { rawOutput: string }) => rawOutput)
        .join(''),
    ).toBe('');
    expect(data.errors[0].data.additionalData.project).toBe(join(server.workplace.folder, 'many/many.csproj'));
  });

  it('can be read whole where it is cut', async () => {
    const { data } = await server.project('Run', { project: 'long/long.csproj', noBuild: true });
    const { contents } = await server.client.readResource({ uri: data.fullOutput.uri });
    const text = contents.map((content) => ('text' in content ? content.text : '')).join('');
    expect(text).toContain('line 0 of many\nline 1 of many\n');
    expect(text.length).toBe(data.fullOutput.chars);
  });
});
