import { nupkg } from '../../packages/dotnet/test/diagnostics/provoked/nupkg.js';
import { projectXml } from './sdk-server.js';

/** A call that the page of its tool shows with its result. */
export interface Example {
  /** What it shows, as a sentence without its full stop. */
  readonly title: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const GREETING = `var greeting = args.Length > 0 ? args[0] : null;
Console.WriteLine(greeting.Length);
`;

/** What the examples work on: a solution of an app and a library, a feed, and a manifest of tools. */
export const EXAMPLE_FILES: Readonly<Record<string, string | Buffer>> = {
  'Shop.slnx': '<Solution><Project Path="app/App.csproj" /><Project Path="lib/Lib.csproj" /></Solution>',
  'app/App.csproj': projectXml(
    '<OutputType>Exe</OutputType><Nullable>enable</Nullable><ImplicitUsings>enable</ImplicitUsings>',
    '<ItemGroup><ProjectReference Include="../lib/Lib.csproj" /></ItemGroup>',
  ),
  'app/Program.cs': GREETING,
  'lib/Lib.csproj': projectXml('<UserSecretsId>shop</UserSecretsId>'),
  'lib/Price.cs': 'public record Price(decimal Amount);',
  'lib/Cart.cs':
    'public class Cart\n{\n  public Price First{get;set;}\n  public string Shown=>nameof(Price)+First.Amount;\n}\n',
  'broken/Broken.csproj': projectXml(),
  'broken/Broken.cs': 'class Broken { int Total() => price; }',
  'nuget.config':
    '<configuration><packageSources><clear /><add key="feed" value="feed" /></packageSources></configuration>',
  'feed/Sample.1.0.0.nupkg': nupkg({ id: 'Sample', version: '1.0.0' }),
  'feed/Sample.1.1.0.nupkg': nupkg({ id: 'Sample', version: '1.1.0' }),
  '.config/dotnet-tools.json': JSON.stringify({
    version: 1,
    isRoot: true,
    tools: { 'dotnet-ef': { version: '10.0.11', commands: ['dotnet-ef'] } },
  }),
};

/** At least one for each tool, in the order in which they are called. */
export const EXAMPLES: readonly Example[] = [
  {
    title: 'A build with a warning',
    tool: 'dotnet_project',
    arguments: { action: 'Build', project: 'app/App.csproj' },
  },
  {
    title: 'A build that fails: the code, its place, its meaning and what to do',
    tool: 'dotnet_project',
    arguments: { action: 'Build', project: 'broken/Broken.csproj' },
  },
  {
    title: 'A package of the feed is added',
    tool: 'dotnet_package',
    arguments: { action: 'Add', project: 'lib/Lib.csproj', packageId: 'Sample', version: '1.1.0' },
  },
  {
    title: 'A package that no source has',
    tool: 'dotnet_package',
    arguments: { action: 'Add', project: 'lib/Lib.csproj', packageId: 'Sampel' },
  },
  {
    title: 'The projects of a solution',
    tool: 'dotnet_solution',
    arguments: { action: 'Analyze', solution: 'Shop.slnx' },
  },
  { title: 'The installed SDKs', tool: 'dotnet_sdk', arguments: { action: 'ListSdks' } },
  {
    title: 'What a template can be given',
    tool: 'dotnet_sdk',
    arguments: { action: 'TemplateInfo', templateShortName: 'classlib' },
  },
  {
    title: 'dotnet-ef is in the manifest and not restored: the call that restores it',
    tool: 'dotnet_ef',
    arguments: { action: 'MigrationsList', project: 'app/App.csproj' },
  },
  { title: 'The tools of the manifest', tool: 'dotnet_tool', arguments: { action: 'List' } },
  { title: 'The installed workloads', tool: 'dotnet_workload', arguments: { action: 'List' } },
  {
    title: 'A secret is saved; its value is in no log, and in no argument list',
    tool: 'dotnet_dev_certs',
    arguments: { action: 'SecretsSet', project: 'lib/Lib.csproj', key: 'Shop:Key', value: 'a value' },
  },
  { title: 'The help of a command', tool: 'dotnet_help', arguments: { command: 'nuget why' } },
  { title: 'What the server can do for this client', tool: 'dotnet_server_capabilities', arguments: {} },
  { title: 'Its version, tools and limits', tool: 'dotnet_server_info', arguments: {} },
  { title: 'The calls so far', tool: 'dotnet_server_metrics', arguments: { action: 'Get' } },
  // Last, because their process stays: its recording has the files that change while it runs.
  {
    title: 'The errors of a project without a build',
    tool: 'dotnet_code',
    arguments: { action: 'Diagnostics', project: 'broken/Broken.csproj' },
  },
  {
    title: 'The uses of a type, and how many each member of another one has, in one call',
    tool: 'dotnet_code',
    arguments: { action: 'References', project: 'lib/Lib.csproj', symbol: 'Price, Cart.*' },
  },
  {
    title: 'The preview of a new name: the file follows, and nothing is written',
    tool: 'dotnet_code',
    arguments: { action: 'Rename', project: 'lib/Lib.csproj', symbol: 'Price', newName: 'Cost' },
  },
  {
    title: 'What the SDK can do about an error',
    tool: 'dotnet_code',
    arguments: { action: 'Fixes', project: 'broken/Broken.csproj', file: 'broken/Broken.cs', line: 1, code: 'CS0103' },
  },
  {
    title: 'One of these fixes is written',
    tool: 'dotnet_code',
    arguments: {
      ...{ action: 'ApplyFix', project: 'broken/Broken.csproj', file: 'broken/Broken.cs', line: 1, code: 'CS0103' },
      fix: "Generate property 'price'",
    },
  },
  {
    title: 'A file is written in the layout of .editorconfig',
    tool: 'dotnet_code',
    arguments: { action: 'Format', project: 'lib/Lib.csproj', file: 'lib/Cart.cs' },
  },
];
