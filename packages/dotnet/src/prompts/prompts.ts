import { relative } from 'node:path';
import type { Completer, PromptArgument, RegisterApi } from '@mortise/plugin';
import { defaultFolder } from '../actions/call-paths.js';
import { cachedPackages } from '../advice/suggest-packages.js';
import { referencedPackages } from '../nuget/package-versions.js';
import type { Services } from '../services.js';

type Values = Readonly<Record<string, string | undefined>>;

interface Guide {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  steps(values: Values): readonly string[];
}

const required = (name: string, description: string): PromptArgument => ({ name, description, required: true });
const optional = (name: string, description: string): PromptArgument => ({ name, description, required: false });

/** Formats a call as an agent makes it. Arguments that are undefined are left out. */
function call(tool: string, args: Record<string, unknown>): string {
  const definedArgs = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  return `${tool} ${JSON.stringify(definedArgs)}`;
}

const folderOf = ({ projectName, outputDirectory }: Values) => outputDirectory ?? projectName;

const NEXT = 'When a call fails, follow the hint and the next action of its first error before anything else.';

const PROVIDER_PACKAGES: Readonly<Record<string, string>> = {
  sqlserver: 'Microsoft.EntityFrameworkCore.SqlServer',
  sqlite: 'Microsoft.EntityFrameworkCore.Sqlite',
  postgresql: 'Npgsql.EntityFrameworkCore.PostgreSQL',
  inmemory: 'Microsoft.EntityFrameworkCore.InMemory',
};

const create = (template: string, values: Values) =>
  call('dotnet_project', {
    action: 'New',
    template,
    name: values.projectName,
    output: values.outputDirectory,
  });

const build = (project: string | undefined) => call('dotnet_project', { action: 'Build', project });

/** The prompts (docs/spec/dotnet-resources.md#prompts). */
const GUIDES: readonly Guide[] = [
  {
    name: 'new_console_app',
    title: 'New console app',
    description: 'Create, build and run a console application',
    arguments: [required('projectName', 'Name of the project'), optional('outputDirectory', 'Folder to create it in')],
    steps: (values) => [
      `Create a console application named ${values.projectName}: ${create('console', values)}`,
      `Build it: ${build(folderOf(values))}`,
      `Run it: ${call('dotnet_project', { action: 'Run', project: folderOf(values) })}`,
    ],
  },
  {
    name: 'create_new_webapi',
    title: 'New web API',
    description: 'Create, build and start an ASP.NET Core web API',
    arguments: [required('projectName', 'Name of the project'), optional('outputDirectory', 'Folder to create it in')],
    steps: (values) => [
      `Create a web API named ${values.projectName}: ${create('webapi', values)}`,
      `Build it: ${build(folderOf(values))}`,
      `Start it in the background; the result has its addresses in urls: ${call('dotnet_project', {
        action: 'Run',
        project: folderOf(values),
        startMode: 'Background',
      })}`,
      'Stop it with dotnet_project {"action":"Stop","sessionId":…} when it is no longer needed.',
    ],
  },
  {
    name: 'new_webapi_with_ef',
    title: 'New web API with Entity Framework',
    description: 'Create a web API with Entity Framework Core: packages, DbContext, first migration',
    arguments: [
      required('projectName', 'Name of the project'),
      optional('dbProvider', 'SqlServer (default), SQLite, PostgreSQL or InMemory'),
      optional('outputDirectory', 'Folder to create it in'),
    ],
    steps(values) {
      const provider = values.dbProvider ?? 'SqlServer';
      const packageId = PROVIDER_PACKAGES[provider.toLowerCase()] ?? PROVIDER_PACKAGES.sqlserver;
      const project = folderOf(values);
      const add = (id: string | undefined) => call('dotnet_package', { action: 'Add', packageId: id, project });
      const isInMemory = provider.toLowerCase() === 'inmemory';
      return [
        `Create a web API named ${values.projectName}: ${create('webapi', values)}`,
        `Add the provider: ${add(packageId)}`,
        ...(isInMemory ? [] : [`Add the design-time tools: ${add('Microsoft.EntityFrameworkCore.Design')}`]),
        `Write a DbContext and its entities, and register it in Program.cs with the provider ${provider}.`,
        `Build it: ${build(project)}`,
        ...(isInMemory
          ? []
          : [
              `Make the first migration: ${call('dotnet_ef', { action: 'MigrationsAdd', name: 'InitialCreate', project })}`,
              `Apply it: ${call('dotnet_ef', { action: 'DatabaseUpdate', project })}`,
            ]),
      ];
    },
  },
  {
    name: 'add_package_and_restore',
    title: 'Add a package',
    description: 'Add a NuGet package, restore, and check that it is there',
    arguments: [
      required('packageId', 'Id of the package'),
      optional('projectPath', 'Project to add it to'),
      optional('version', 'Version; the newest without it'),
    ],
    steps: ({ packageId, projectPath: project, version }) => [
      `Add the package: ${call('dotnet_package', { action: 'Add', packageId, project, version })}`,
      `Restore: ${call('dotnet_project', { action: 'Restore', project })}`,
      `Check that it is there: ${call('dotnet_package', { action: 'List', project, filter: packageId })}`,
    ],
  },
  {
    name: 'run_tests_with_coverage',
    title: 'Run tests with coverage',
    description: 'Run the tests, collect code coverage, and report',
    arguments: [optional('projectPath', 'Test project or solution'), optional('filter', 'Which tests')],
    steps: ({ projectPath: project, filter }) => [
      `Run the tests with the collector: ${call('dotnet_project', {
        action: 'Test',
        project,
        filter,
        collect: 'XPlat Code Coverage',
        resultsDirectory: 'TestResults',
      })}`,
      'Read firstFailures of the result, and fix what failed.',
      'Report the coverage from TestResults/**/coverage.cobertura.xml: lines and branches, and what is not covered.',
    ],
  },
];

export function registerPrompts(api: RegisterApi, services: Services): void {
  const completers = createCompleters(services);
  for (const { steps, arguments: args, ...guide } of GUIDES) {
    api.registerPrompt({
      ...guide,
      arguments: args.map((argument) => {
        const complete = completers[argument.name];
        return complete ? { ...argument, complete } : argument;
      }),
      get: (values) => [...steps(values).map((step, index) => `${index + 1}. ${step}`), NEXT].join('\n'),
    });
  }
}

const PROVIDERS = ['SqlServer', 'SQLite', 'PostgreSQL', 'InMemory'];

/** The completers by argument name, independent of the prompt (docs/spec/dotnet-resources.md#completions). */
function createCompleters({ workspaces, settings }: Services): Record<string, Completer> {
  const folder = () => defaultFolder(settings.roots);
  const projects = () => workspaces.read(folder()).projects;
  const sources: Record<string, () => readonly string[]> = {
    projectPath: () => projects().map((path) => relative(folder(), path).replaceAll('\\', '/')),
    packageId: () => [...projects().flatMap(referencedPackages), ...cachedPackages()],
    dbProvider: () => PROVIDERS,
  };
  return Object.fromEntries(
    Object.entries(sources).map(([name, values]) => [name, (typed: string) => matching(values(), typed)]),
  );
}

/** Returns the distinct values that begin with the typed text, in any case. */
function matching(values: readonly string[], typed: string): string[] {
  const prefix = typed.toLowerCase();
  return [...new Set(values)].filter((value) => value.toLowerCase().startsWith(prefix));
}
