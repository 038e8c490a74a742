/** Contents by path, from the folder of a build. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** One run of `dotnet`. */
export interface Command {
  readonly args: readonly string[];
  /** Below the folder of the build. */
  readonly cwd?: string;
  /** `{root}` stands for the folder of the build. */
  readonly env?: Readonly<Record<string, string>>;
  /** What it prints without naming a file. */
  readonly code?: string;
}

/** A build against the real SDK that makes it print codes of the dictionary. */
export interface ProvokingBuild {
  /** For the table: `restores from a feed of small packages`. */
  readonly name: string;
  readonly files: Files;
  readonly commands: readonly Command[];
  /**
   * Codes that are printed for a file or project of that name, or in a folder of that name; those of the commands are
   * not repeated here.
   */
  readonly codes: readonly string[];
  /** Packages come from the ordinary source too, and from the folder in which it left them. */
  readonly usesOrdinarySource?: true;
}

/** A project in a folder of its own. */
export interface ProjectCase {
  /** `p.csproj` and what is beside it. */
  readonly files: Files;
  /** Targets, run one after another; the property `Step` counts them. Default: Restore, Build. */
  readonly steps?: readonly string[];
}

/** One MSBuild process that runs the targets of all projects; each is in the folder of its code. */
export function projectBuild(
  name: string,
  cases: Readonly<Record<string, ProjectCase>>,
  more: { readonly files?: Files; readonly args?: readonly string[]; readonly usesOrdinarySource?: true } = {},
): ProvokingBuild {
  const { args = [], files: shared = {}, ...rest } = more;
  const files: Record<string, string | Buffer> = { ...shared };
  const steps: string[][] = [];
  for (const [code, { files: own, steps: targets = ['Restore', 'Build'] }] of Object.entries(cases)) {
    for (const [path, content] of Object.entries(own)) files[`${code}/${path}`] = content;
    const project = Object.keys(own).find((path) => /^p\.[a-z]+proj$/.test(path));
    targets.forEach((target, index) => {
      steps[index] ??= [];
      steps[index].push(`<Step${index + 1} Include="${code}/${project}" Targets="${target}" />`);
    });
  }
  files['all.proj'] = allProjects(steps);
  return {
    name,
    files,
    commands: [{ args: ['msbuild', 'all.proj', '-nologo', '-v:q', ...args] }],
    codes: Object.keys(cases),
    ...rest,
  };
}

function allProjects(steps: readonly (readonly string[])[]): string {
  const items = steps.map((projects) => `<ItemGroup>${projects.join('')}</ItemGroup>`);
  const tasks = steps.map((_, index) => {
    const item = `Step${index + 1}`;
    return `<MSBuild Projects="@(${item})" Targets="%(${item}.Targets)" Properties="Step=${index + 1}" ContinueOnError="true" />`;
  });
  return `<Project>${items.join('')}<Target Name="Build">${tasks.join('')}</Target></Project>`;
}

/** A project of the .NET SDK: its properties, and what is beside them. */
export function sdkProject(properties: string, rest = '', sdk = 'Microsoft.NET.Sdk'): string {
  return `<Project Sdk="${sdk}"><PropertyGroup>${properties}</PropertyGroup>${rest}</Project>`;
}

export const NET10 = '<TargetFramework>net10.0</TargetFramework>';
export const EXE = '<OutputType>Exe</OutputType>';

export function items(...item: readonly string[]): string {
  return `<ItemGroup>${item.join('')}</ItemGroup>`;
}

export function packageReference(id: string, version: string): string {
  return `<PackageReference Include="${id}" Version="${version}" />`;
}

/** Properties that are there only in the second step. */
export function afterRestore(properties: string): string {
  return `<PropertyGroup Condition="'$(Step)' == '2'">${properties}</PropertyGroup>`;
}
