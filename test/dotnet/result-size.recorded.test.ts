import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { packageReferences, XUNIT } from './fixture-projects.js';
import { type Called, CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const MAX_CHARS = 30_000;

/** 25 lines of each are indented badly. */
const UNFORMATTED = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [
    `bad/C${index}.cs`,
    [`class C${index}`, '{', ...Array.from({ length: 25 }, (_, line) => `  int f${line};`), '}', ''].join('\n'),
  ]),
);

const NAMES = Array.from({ length: 100 }, (_, index) => `Some.Company.Product.Part${index}`);
const PROJECTS = Object.fromEntries(
  NAMES.map((name, index) => [
    `many/${name}/${name}.csproj`,
    projectXml(
      '',
      index === 0 ? '' : `<ItemGroup><ProjectReference Include="../${NAMES[0]}/${NAMES[0]}.csproj" /></ItemGroup>`,
    ),
  ]),
);
const SOLUTION = `<Solution>${NAMES.map((name) => `<Project Path="${name}/${name}.csproj" />`).join('')}</Solution>`;

const TESTS = `using Xunit;
public class A_class_of_tests_with_a_long_name {
  public static System.Collections.Generic.IEnumerable<object[]> Rows =>
    System.Linq.Enumerable.Range(1, 400).Select(row => new object[] { row, "a text that makes the name of the test longer" });
  [Theory, MemberData(nameof(Rows))] public void Holds(int row, string text) => Assert.NotEqual(row, text.Length * 1000);
}`;

const ROWS = Array.from({ length: 600 }, (_, row) => `<Row Include="row${row}" Text="what it has" />`).join('');

describeRecorded('the size of a result', () => {
  let server: SdkServer;
  beforeAll(async () => {
    server = await startSdkServer({
      'bad/bad.csproj': projectXml(),
      ...UNFORMATTED,
      'many/many.slnx': SOLUTION,
      ...PROJECTS,
      'tests/tests.csproj': projectXml('<ImplicitUsings>enable</ImplicitUsings>', packageReferences(...XUNIT)),
      'tests/Tests.cs': TESTS,
      'app/app.csproj': projectXml(CONSOLE, `<ItemGroup>${ROWS}</ItemGroup>`),
    });
  });
  afterAll(() => server?.close());

  /** The number of entries that a list and its count are. */
  const total = ({ data }: Called, list: string) => {
    const omitted = data[`omitted${list.charAt(0).toUpperCase()}${list.slice(1)}`];
    expect(omitted, list).toBeGreaterThan(0);
    return data[list].length + omitted;
  };
  const expectBounded = (called: Called) => expect(JSON.stringify(called.data).length).toBeLessThanOrEqual(MAX_CHARS);
  const fullOutput = async ({ data }: Called) => {
    let text = '';
    while (text.length < data.fullOutput.chars) {
      const { contents } = await server.client.readResource({ uri: `${data.fullOutput.uri}?offset=${text.length}` });
      text += (contents[0] as { text: string }).text;
    }
    return text;
  };

  it('is bounded for a format with 500 findings, which are in the full output', async () => {
    const called = await server.project('Format', { project: 'bad/bad.csproj', verify: true });
    expect(called.isError).toBe(true);
    expectBounded(called);
    expect(called.data.diagnostics).toHaveLength(50);
    expect(total(called, 'diagnostics')).toBe(500);
    const output = await fullOutput(called);
    expect(output).toContain('diagnostics, all 500:');
    for (const name of ['C0.cs', 'C19.cs']) expect(output.split(name).length).toBeGreaterThan(25);
  });

  it('is bounded for Analyze of 100 projects', async () => {
    const called = await server.call('dotnet_solution', { action: 'Analyze', solution: 'many/many.slnx' });
    expect(called.isError).toBe(false);
    expectBounded(called);
    expect(total(called, 'projects')).toBe(100);
    expect(total(called, 'references')).toBe(99);
    expect(called.data.recommendedAction).toMatchObject({ toolName: 'dotnet_project' });
    const output = await fullOutput(called);
    for (const name of NAMES) expect(output).toContain(name);
  });

  it('has as many tests of a list as fit', async () => {
    const called = await server.project('Test', { project: 'tests/tests.csproj', listTests: true });
    expectBounded(called);
    expect(called.data.tests.length).toBeGreaterThan(150);
    expect(total(called, 'tests')).toBe(400);
    expect((await fullOutput(called)).split('A_class_of_tests').length).toBeGreaterThan(400);
  });

  it('has as many items as fit if all types are asked for', async () => {
    const called = await server.project('ListItems', { project: 'app/app.csproj' });
    expectBounded(called);
    expect(total(called, 'items')).toBe(called.data.count);
    expect(called.data.items.length).toBeGreaterThan(50);
  });
});
