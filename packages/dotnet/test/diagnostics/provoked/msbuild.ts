import { items, NET10, type ProjectCase, type ProvokingBuild, projectBuild, sdkProject } from './build.js';

const tasks = (content: string): ProjectCase => ({
  files: { 'p.csproj': `<Project><Target Name="Build">${content}</Target></Project>`, 'text.txt': 'text' },
  steps: ['Build'],
});
const compiledTask = (type: 'Fragment' | 'Class', code: string) =>
  ({
    files: { 'p.csproj': taskProject('Own', type, code), 'text.txt': 'text' },
    steps: ['Build'],
  }) satisfies ProjectCase;

/** A project whose only target runs a task that is compiled from its text. */
export function taskProject(name: string, type: 'Fragment' | 'Class', code: string): string {
  return `<Project>
<UsingTask TaskName="${name}" TaskFactory="RoslynCodeTaskFactory" AssemblyFile="$(MSBuildToolsPath)/Microsoft.Build.Tasks.Core.dll">
<Task><Code Type="${type}" Language="cs"><![CDATA[${code}]]></Code></Task></UsingTask>
<Target Name="Build"><${name} /></Target></Project>`;
}

const UNSTARTABLE = `public class Own : Microsoft.Build.Utilities.ToolTask {
  protected override string ToolName => "text.txt";
  protected override string GenerateFullPathToTool() => System.IO.Path.GetFullPath("text.txt");
}`;
const FAILING_COMPILER = `<Project>
<UsingTask TaskName="Csc" AssemblyFile="$(MSBuildToolsPath)/Roslyn/Microsoft.Build.Tasks.CodeAnalysis.dll" />
<Target Name="Build"><Csc ToolPath="/bin" ToolExe="false" Sources="text.txt" /></Target></Project>`;

/** Tasks that fail, and what MSBuild says of the machine. Some of it is printed from verbosity normal on. */
export const MSBUILD_TASKS: ProvokingBuild = projectBuild(
  'MSBuild tasks that fail',
  {
    MSB3026: tasks(
      '<Copy SourceFiles="text.txt" DestinationFiles="/proc/none/x" Retries="1" RetryDelayMilliseconds="1" />',
    ),
    MSB3027: tasks(
      '<Copy SourceFiles="text.txt" DestinationFiles="/proc/version" Retries="1" RetryDelayMilliseconds="1" />',
    ),
    MSB3245: tasks('<ResolveAssemblyReference Assemblies="Nope.Assembly" SearchPaths="{RawFileName}" />'),
    MSB3491: tasks('<WriteLinesToFile File="/proc/version" Lines="a" Overwrite="true" />'),
    MSB3552: { files: { 'p.csproj': sdkProject(NET10, items('<EmbeddedResource Include="nope.resx" />')) } },
    MSB3644: {
      files: {
        'p.csproj': sdkProject(
          '<TargetFramework>net472</TargetFramework><AutomaticallyUseReferenceAssemblyPackages>false</AutomaticallyUseReferenceAssemblyPackages>',
        ),
      },
      steps: ['GetReferenceAssemblyPaths'],
    },
    MSB4018: compiledTask('Fragment', 'throw new System.Exception("broken");'),
    MSB4175: {
      files: {
        'p.csproj':
          '<Project><UsingTask TaskName="Own" TaskFactory="Nope" AssemblyFile="nope.dll"><Task>x</Task></UsingTask><Target Name="Build"><Own /></Target></Project>',
      },
      steps: ['Build'],
    },
    MSB4181: compiledTask('Fragment', 'Success = false;'),
    MSB6003: compiledTask('Class', UNSTARTABLE),
    MSB6006: { files: { 'p.csproj': FAILING_COMPILER, 'text.txt': '' }, steps: ['Build'] },
    MSB9008: {
      files: { 'p.csproj': sdkProject(NET10, items('<ProjectReference Include="nope/nope.csproj" />')) },
      steps: ['Restore', 'ResolveProjectReferences'],
    },
  },
  { args: ['-v:n', '-clp:NoSummary'] },
);
