import { afterAll, beforeAll, expect, it } from 'vitest';
import { parametersOf } from '../../packages/dotnet/src/actions/action.js';
import { type DotnetTool, NO_ACTION } from '../../packages/dotnet/src/actions/dotnet-tool.js';
import { PARAMETERS, type ParameterName } from '../../packages/dotnet/src/actions/parameters.js';
import { TOOLS } from '../../packages/dotnet/src/tools/index.js';
import { type StandIn, startStandIn } from './stand-in.js';

/** Values that are read as more than a value where no one takes care (docs/spec/dotnet-tools.md#values). */
export const HOSTILE = {
  'a response file': '@file',
  'an option': '-x',
  'a long option': '--x',
  'a property of MSBuild': '/p:x=1',
  'a property with a path': '/p:Evil=/etc',
  'a target of MSBuild': '/t:x',
  'a switch of MSBuild': '/version',
  'a second property': 'a;Evil=1',
  'a second property behind quotes': 'a",Evil=1,"',
  'an escaped semicolon': 'a%3BEvil=1',
  'a line break': 'a\n-x',
  NUL: 'a\0b',
  '40,000 characters': 'x'.repeat(40_000),
} as const;

/** What an action needs besides the parameter that is tried. */
const USUAL: Partial<Record<ParameterName, unknown>> = {
  project: 'App.csproj',
  projectPath: 'App.csproj',
  solution: 'All.sln',
  projects: ['App.csproj'],
  referencePath: 'Lib.csproj',
  template: 'console',
  name: 'Name',
  packageId: 'Some.Package',
  workloadIds: ['maui'],
  toolName: 'tool',
  searchTerm: 'term',
  source: 'https://example.org/index.json',
  templateShortName: 'console',
  templatePackage: 'Some.Pack',
  propertyName: 'Nullable',
  propertyValue: 'enable',
  itemType: 'None',
  include: 'a.txt',
  connection: 'Data Source=a.db',
  provider: 'Some.Provider',
  path: 'cert.pfx',
  key: 'Key',
  value: 'value',
  watchAction: 'run',
  sessionId: 'none',
  cacheType: 'temp',
  sdkVersion: '10.0.100',
};

interface Row {
  tool: DotnetTool;
  action: string;
  parameter: ParameterName;
}

const holdsText = ({ type, enum: values }: { type?: unknown; enum?: unknown }) =>
  values === undefined && type !== 'boolean' && type !== 'integer';

/** Every parameter with text of every action, from the definitions themselves. */
const ROWS: Row[] = TOOLS.flatMap((tool) =>
  Object.entries(tool.actions).flatMap(([action, row]) =>
    [...new Set(parametersOf(tool, row))].flatMap((parameter) => {
      const own = tool.describes?.[parameter];
      const schema = typeof own === 'object' ? own : PARAMETERS[parameter].schema;
      return holdsText(schema) ? [{ tool, action, parameter }] : [];
    }),
  ),
);

/** The forms in which a parameter can hold a value: itself, in a list, as a value or a name of a map. */
function forms(parameter: ParameterName, value: string): unknown[] {
  const { type } = PARAMETERS[parameter].schema as { type: unknown };
  if (type === 'array') return [[value]];
  if (type === 'object') return [{ Name: value }, { [value]: 'x' }];
  return Array.isArray(type) ? [value, [value]] : [value];
}

function argumentsOf({ tool, action, parameter }: Row, value: unknown): Record<string, unknown> {
  const { finds, required = [], requiredOneOf = [], optional = [] } = tool.actions[action]!;
  const one = (requiredOneOf as readonly ParameterName[]).includes(parameter) ? parameter : requiredOneOf[0];
  const names = [...(finds && parameter !== 'projectPath' ? [finds] : []), ...required, ...(one ? [one] : [])];
  const needed = Object.fromEntries(names.map((name) => [name, USUAL[name]]));
  const more = {
    ...(action === 'SetProperty' && one === 'propertyName' && { propertyValue: 'x' }),
    ...(action === 'Convert' && { project: 'app.cs' }),
    ...(action === 'ConfigureGlobalJson' && { sdkVersion: '10.0.100' }),
    ...(optional.includes('force') && { force: true }),
    ...(optional.includes('username') && { username: 'user', credentialVariable: 'SOME_KEY' }),
  };
  return { ...(action !== NO_ACTION && { action }), ...needed, ...more, [parameter]: value };
}

const isOption = (argument: string) => /^(?:[-@]|\/[^/]*(?::|$))/.test(argument);
/** What is made into properties of MSBuild. */
const MSBUILD = new Set(['build', 'publish', 'pack', 'clean', 'restore', 'msbuild']);

/** They hand their options on to a second program, without the `=` between name and value (SDK 10). */
const HANDS_ON = new Set(['new', 'add', 'package']);

/** The arguments that the CLI would read as more than the value of the parameter. */
function misread(commandArgs: readonly string[], value: string, parameter: ParameterName): string[] {
  const [command = ''] = commandArgs;
  const end = commandArgs.indexOf('--');
  const own = end < 0 ? commandArgs : commandArgs.slice(0, end);
  return own.filter((argument, index) => {
    const joined = /^--?[^=:]+[=:](.*)$/s.exec(argument)?.[1];
    if (argument.startsWith('@')) return true;
    if (HANDS_ON.has(command) && joined?.startsWith('@')) return true;
    if (parameter === 'additionalOptions') return false;
    if (isOption(value) && argument === value) return true;
    if (HANDS_ON.has(command) && joined !== undefined && isOption(joined)) return true;
    // A positional argument is a file name to MSBuild, whatever it contains.
    const isOfOption = argument.startsWith('-') || own[index - 1]?.startsWith('-') === true;
    return MSBUILD.has(command) && isOfOption && /[;,"]Evil=|[^5]%3BEvil=1/.test(argument) && argument.includes(value);
  });
}

/** The tests that no value becomes an option, a response file, a property or a second argument. @param hostile what is tried */
export function testValues(hostile: Readonly<Record<string, string>>): void {
  let standIn: StandIn;
  beforeAll(async () => {
    standIn = await startStandIn({
      'App.csproj': '<Project />',
      'Lib.csproj': '<Project />',
      'All.sln': 'Microsoft Visual Studio Solution File, Format Version 12.00\n',
    });
  });
  afterAll(() => standIn.close());

  const byTool = TOOLS.flatMap((tool) =>
    Object.keys(tool.actions).map((action) => ({ tool, name: tool.name, action })),
  );

  it.each(byTool)('$name $action', async ({ tool, action }) => {
    const wrong: string[] = [];
    for (const row of ROWS.filter((one) => one.tool === tool && one.action === action)) {
      for (const [what, value] of Object.entries(hostile)) {
        for (const form of forms(row.parameter, value)) {
          standIn.recorded();
          const result = await standIn.client.callTool({ name: tool.name, arguments: argumentsOf(row, form) });
          for (const commandArgs of standIn.recorded()) {
            for (const argument of misread(commandArgs, value, row.parameter))
              wrong.push(`${row.parameter} = ${what}: ${argument} in ${commandArgs.join(' ').slice(0, 200)}`);
          }
          const { errors } = (result.structuredContent ?? {}) as { errors?: { code: string }[] };
          if (errors?.some(({ code }) => code === 'INTERNAL_ERROR')) wrong.push(`${row.parameter} = ${what}: threw`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('covers every parameter with text', () => {
    const covered = new Set(ROWS.map(({ parameter }) => parameter));
    const all = (Object.keys(PARAMETERS) as ParameterName[]).filter((name) => holdsText(PARAMETERS[name].schema));
    expect(all.filter((name) => !covered.has(name))).toEqual([]);
    expect(all.filter((name) => !('kind' in PARAMETERS[name]))).toEqual([]);
  });
}
