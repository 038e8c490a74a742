import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Action, parametersOf } from '../../packages/dotnet/src/actions/action.js';
import { PARAMETERS, type Parameter, type ParameterName } from '../../packages/dotnet/src/actions/parameters.js';
import { TOOLS } from '../../packages/dotnet/src/tools/index.js';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';
import { connectSdk, type SdkConnection } from './connect-sdk.js';
import { CONSOLE, projectXml } from './sdk-server.js';

/** `Dotnet.Roots` through a server with the SDK (docs/spec/access.md#roots). */

const REFUSED = 'is outside of the allowed folders';
const PROJECT = projectXml(CONSOLE);
/** Values of required parameters, so that only the path is wrong. */
const VALUES: Partial<Record<ParameterName, unknown>> = {
  project: 'App/App.csproj',
  solution: 'S.sln',
  projects: ['App/App.csproj'],
  template: 'console',
  propertyName: 'A',
  propertyValue: 'b',
  itemType: 'Compile',
  include: '*.cs',
  path: 'p.nupkg',
  packageId: 'P',
  referencePath: 'App/App.csproj',
  source: 'https://example.org/index.json',
  name: 'N',
  connection: 'c',
  provider: 'p',
  workloadIds: ['w'],
  toolName: 't',
  sdkVersion: '10.0.100',
  templatePackage: 'P',
  key: 'k',
  value: 'v',
  sessionId: 's',
  templateShortName: 't',
  searchTerm: 's',
  symbol: 'S',
  file: 'App/Program.cs',
  line: 1,
  newName: 'N',
  watchAction: 'run',
  cacheType: 'all',
};

/** Every path parameter of every action of every tool. */
const PLACES = TOOLS.flatMap((tool) =>
  Object.entries(tool.actions).flatMap(([name, action]) =>
    parametersOf(tool, action)
      .concat('workingDirectory')
      .filter((parameter, at, all) => all.indexOf(parameter) === at && isPath(parameter))
      .filter((parameter) => parameter !== 'workingDirectory' || tool.common?.includes(parameter))
      .map((parameter) => ({ tool: tool.name, name, action, parameter })),
  ),
);

function isPath(name: ParameterName): boolean {
  const parameter = PARAMETERS[name] as Parameter;
  return ('kind' in parameter && ['path', 'source'].includes(parameter.kind)) || name === 'include';
}

function requiredOf({ required = [], requiredOneOf, finds }: Action): Record<string, unknown> {
  const names = [...required, ...(requiredOneOf?.slice(0, 1) ?? []), ...(finds ? [finds] : [])];
  return Object.fromEntries(names.map((name) => [name, VALUES[name]]));
}

/** A value of the parameter that the checks of its form accept. */
function pathFor(parameter: ParameterName, folder: string, action: string): unknown {
  const file: Partial<Record<ParameterName, string>> = {
    project: 'a.csproj',
    projectPath: 'a.csproj',
    startupProject: 'a.csproj',
    referencePath: 'a.csproj',
    references: 'a.csproj',
    projects: 'a.csproj',
    solution: 'a.sln',
    globalJsonPath: 'global.json',
    configFile: 'nuget.config',
  };
  const name = action === 'Convert' && parameter === 'project' ? 'Program.cs' : file[parameter];
  const value = name === undefined ? folder : `${folder}/${name}`;
  return PARAMETERS[parameter].schema.type === 'array' ? [value] : value;
}

describeRecorded('Dotnet.Roots of a server', () => {
  let workplace: Workplace;
  let server: SdkConnection;
  const root = () => join(workplace.folder, 'root');
  const outside = () => join(workplace.folder, 'outside');

  beforeAll(async () => {
    workplace = makeWorkplace(
      {
        'root/App/App.csproj': PROJECT,
        'root/App/Program.cs': '',
        'outside/a.csproj': PROJECT,
        'outside/App.csproj': PROJECT,
        'outside/Program.cs': '',
        'outside/global.json': '{}',
        'root-2/a.csproj': PROJECT,
      },
      {},
    );
    symlinkSync(outside(), join(root(), 'link'));
    symlinkSync(join(workplace.folder, 'nowhere'), join(root(), 'dangling'));
    mkdirSync(join(outside(), 'deep'));
    symlinkSync(join(outside(), 'deep'), join(root(), 'deep'));
    server = await connectSdk(workplace, { settings: { Dotnet: { Enabled: true, Roots: [root()] } } });
  });
  afterAll(async () => {
    await server.close();
    removeWorkplace(workplace);
  });

  it('are not empty', () => {
    expect(new Set(PLACES.map(({ tool }) => tool)).size).toBe(9);
    expect(PLACES.length).toBeGreaterThan(100);
  });

  it('refuse each path parameter of each action, before anything is run or written', async () => {
    const before = readdirSync(outside(), { recursive: true }).sort();
    const passed: string[] = [];
    for (const { tool, name, action, parameter } of PLACES) {
      for (const folder of [outside(), '../outside', 'link']) {
        if (tool === 'dotnet_tool' && action.required?.includes('args')) continue;
        const args: Record<string, unknown> = {
          ...requiredOf(action),
          ...(name === 'Convert' && { project: 'App/Program.cs' }),
          [parameter]: pathFor(parameter, folder, name),
        };
        // These two replace others.
        if (parameter === 'projectPath') delete args.project;
        if (parameter === 'references') delete args.referencePath;
        const { text, data } = await server.call(tool, { ...(name !== '' && { action: name }), ...args });
        const held = text.includes(REFUSED) && data.errors[0].data.additionalData.parameter === parameter;
        if (!held) passed.push(`${tool} ${name} ${parameter}=${folder}: ${text.slice(0, 150)}`);
      }
    }
    expect(passed).toEqual([]);
    expect(readdirSync(outside(), { recursive: true }).sort()).toEqual(before);
  });

  it.each([
    ['..', '../outside/a.csproj'],
    ['.. through a link', 'deep/../a.csproj'],
    ['a folder whose name begins like the root', '../root-2/a.csproj'],
    ['a link that leads nowhere', 'dangling/a.csproj'],
    ['another case', () => join(workplace.folder.toUpperCase(), 'outside/a.csproj')],
    ['a file URL', () => pathToFileURL(join(outside(), 'a.csproj')).href],
    ['a file URL in capitals', () => pathToFileURL(join(outside(), 'a.csproj')).href.replace('file', 'FILE')],
    ['a path with . and //', () => join(root(), 'App').concat('/.//..//../outside//./a.csproj')],
    ['/proc', () => '/proc/self/root/a.csproj'],
  ])('refuse %s', async (_what, path) => {
    const project = typeof path === 'string' ? path : path();
    const { text, isError } = await server.call('dotnet_project', {
      action: 'GetProperty',
      project,
      propertyName: 'A',
    });
    expect(isError).toBe(true);
    expect(text).toContain(REFUSED);
  });

  it('accept what is inside, however it is written, and what is not a path', async () => {
    for (const project of ['App', 'App/../App/App.csproj', join(root(), 'App'), 'link/../App']) {
      const args = { action: 'GetProperty', project, propertyName: 'TargetFramework' };
      const { text } = await server.call('dotnet_project', args);
      // The last one leads outside if the link is followed first, as the operating system does it.
      if (project.startsWith('link')) expect(text).toContain(REFUSED);
      else expect(text).toContain('net10.0');
    }
  });

  it('hold for options of templates, for folders of resources, and for completions', async () => {
    const created = await server.call('dotnet_project', {
      action: 'New',
      template: 'console',
      name: 'N',
      additionalOptions: `-o ${join(outside(), 'New')}`,
    });
    expect(created.text).toContain(REFUSED);
    const { client } = server;
    const read = (uri: string) => client.readResource({ uri }).then(JSON.stringify, String);
    for (const path of [outside(), '../outside', 'link', '..%2Foutside', '/'])
      expect(await read(`dotnet://workspace/${path}`)).toContain(REFUSED);
    expect(await read('dotnet://workspace/App')).toContain('App.csproj');
    // The working directory of the server is outside: the first root takes its place.
    expect(await read('dotnet://workspace')).not.toContain('outside/');
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'add_package_and_restore' },
      argument: { name: 'projectPath', value: '' },
    });
    expect(completion.values.join()).not.toContain('outside');
    expect(existsSync(join(outside(), 'New'))).toBe(false);
  });

  it('refuse a new project, a source and a template package whose name is that of a link', async () => {
    const before = readdirSync(outside(), { recursive: true }).sort();
    for (const [tool, args] of [
      ['dotnet_project', { action: 'New', template: 'console', name: 'link' }],
      ['dotnet_package', { action: 'AddSource', name: 'n', source: 'link' }],
      ['dotnet_sdk', { action: 'InstallTemplatePack', templatePackage: 'link' }],
    ] as const)
      expect((await server.call(tool, args)).text).toContain(REFUSED);
    expect(readdirSync(outside(), { recursive: true }).sort()).toEqual(before);
  });
});
