import { type EvaluationQuery, itemsOf, type ProjectEvaluation, propertyOf } from '../msbuild/evaluate.js';
import {
  isCentrallyManaged,
  mergeFrameworks,
  type PackageReference,
  type ProjectReference,
  packageReferencesOf,
  projectReferencesOf,
} from '../nuget/package-references.js';
import { projectName } from '../project-files/find-project.js';
import { splitList, uniqueNames } from '../project-files/msbuild-syntax.js';
import { attributeOf } from '../project-files/project-xml.js';
import type { XmlElement } from '../xml/xml.js';
import type { LoadedProject } from './load-project.js';

/** The answer of Analyze (docs/spec/dotnet-results.md#project-queries). Members without a value are absent. */
export interface ProjectAnalysis {
  readonly success: true;
  readonly projectPath: string;
  readonly projectName: string;
  readonly sdk?: string;
  readonly targetFrameworks: readonly string[];
  readonly outputType?: string;
  readonly packageReferences: readonly PackageReference[];
  readonly projectReferences: readonly ProjectReference[];
  readonly buildProperties: Readonly<Record<string, string | boolean | number>>;
  readonly analyzers: readonly { readonly path: string; readonly frameworks?: readonly string[] }[];
  readonly implicitUsings?: string;
  readonly nullable?: string;
  readonly langVersion?: string;
  readonly restored: boolean;
}

/** The build properties in the answer of Analyze, with the types of their values. */
const BUILD_PROPERTIES = {
  PublishAot: 'boolean',
  InvariantGlobalization: 'boolean',
  PublishTrimmed: 'boolean',
  PublishSingleFile: 'boolean',
  PublishReadyToRun: 'boolean',
  SelfContained: 'boolean',
  RuntimeIdentifier: 'string',
  RuntimeIdentifiers: 'string',
  Configuration: 'string',
  Platform: 'string',
  TreatWarningsAsErrors: 'boolean',
  WarningLevel: 'number',
} as const;

export const ANALYSIS_QUERY: EvaluationQuery = {
  properties: [
    'TargetFrameworkIdentifier',
    'TargetFrameworkVersion',
    'OutputType',
    'ImplicitUsings',
    'Nullable',
    'LangVersion',
    ...Object.keys(BUILD_PROPERTIES),
  ],
  itemTypes: ['Analyzer'],
};

/**
 * Describes a project that was loaded with {@link ANALYSIS_QUERY}. If it has several target frameworks, the property
 * values are those of the first one.
 */
export function analyzeProject({ evaluation, xml, restored }: LoadedProject): ProjectAnalysis {
  const { project, inner } = evaluation;
  const value = (name: string) => propertyOf(inner[0]!, name);
  const optional = (key: string, text: string | undefined) => (text ? { [key]: text } : {});
  return {
    success: true,
    projectPath: project,
    projectName: projectName(project),
    ...optional('sdk', sdkOf(xml)),
    targetFrameworks: targetFrameworksOf(evaluation),
    ...optional('outputType', value('OutputType')),
    packageReferences: packageReferencesOf(evaluation),
    projectReferences: projectReferencesOf(evaluation),
    buildProperties: Object.fromEntries(
      Object.entries(BUILD_PROPERTIES)
        .filter(([name]) => value(name) !== '')
        .map(([name, type]) => [camelCase(name), typedValue(value(name), type)]),
    ),
    analyzers: mergeFrameworks(evaluation, (innerEvaluation) =>
      itemsOf(innerEvaluation, 'Analyzer').map(({ fullPath }) => ({ path: fullPath })),
    ),
    ...optional('implicitUsings', value('ImplicitUsings')),
    ...optional('nullable', value('Nullable')),
    ...optional('langVersion', value('LangVersion')),
    restored,
  };
}

/** Returns the target frameworks of a project; `net472` for a project that names only the version of .NET Framework. */
export function targetFrameworksOf({ outer }: ProjectEvaluation): string[] {
  const multiple = splitList(propertyOf(outer, 'TargetFrameworks'));
  const single = propertyOf(outer, 'TargetFramework');
  if (single) return [single];
  if (multiple.length > 0) return uniqueNames(multiple);
  const version = propertyOf(outer, 'TargetFrameworkVersion').replace(/^v/i, '');
  const isNetFramework = propertyOf(outer, 'TargetFrameworkIdentifier') === '.NETFramework';
  return isNetFramework && version ? [`net${version.replaceAll('.', '')}`] : [];
}

/**
 * Returns the SDKs that a project names by attribute, `Sdk` element or import, separated by `;`.
 * @returns undefined if it names none
 */
export function sdkOf(project: XmlElement): string | undefined {
  const declared = project.elements.filter(({ name }) => name === 'Sdk').map((element) => attributeOf(element, 'Name'));
  const imported = project.elements
    .filter(({ name }) => name === 'Import')
    .map((element) => attributeOf(element, 'Sdk'));
  const sdks = [attributeOf(project, 'Sdk'), ...declared, ...imported].filter((sdk) => sdk !== undefined);
  return uniqueNames(sdks.map((sdk) => sdk.trim()).filter(Boolean)).join(';') || undefined;
}

function camelCase(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function typedValue(value: string, type: 'string' | 'boolean' | 'number'): string | boolean | number {
  if (type === 'boolean' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  if (type === 'number' && /^\d+$/.test(value)) return Number(value);
  return value;
}

/** The answer of Dependencies (docs/spec/dotnet-results.md#project-queries). */
export interface ProjectDependencies {
  readonly success: true;
  readonly projectPath: string;
  readonly targetFrameworks: readonly string[];
  readonly directPackageDependencies: readonly PackageReference[];
  readonly directProjectDependencies: readonly ProjectReference[];
  readonly totalDirectDependencies: number;
  readonly notes: readonly string[];
  readonly restored: boolean;
}

export function dependenciesOf({ evaluation, restored }: LoadedProject): ProjectDependencies {
  const packages = packageReferencesOf(evaluation);
  const projects = projectReferencesOf(evaluation);
  return {
    success: true,
    projectPath: evaluation.project,
    targetFrameworks: targetFrameworksOf(evaluation),
    directPackageDependencies: packages,
    directProjectDependencies: projects,
    totalDirectDependencies: packages.length + projects.length,
    notes: [
      'Only direct dependencies are listed; those of the dependencies come with them.',
      isCentrallyManaged(evaluation)
        ? 'Versions are the requested ones, most of them from Directory.Packages.props.'
        : 'Versions are the requested ones; a restore may resolve higher ones.',
      restored ? 'The project is restored.' : 'The project is not restored, or changed since: run Restore.',
    ],
    restored,
  };
}
