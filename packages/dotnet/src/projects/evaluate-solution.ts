import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CommandRun } from '../process/command-run.js';
import { escapeAttribute } from '../xml/entities.js';
import {
  type DotnetCall,
  type Evaluation,
  EvaluationFailed,
  type EvaluationQuery,
  evaluateProject,
  innerFrameworks,
  itemOf,
  type ProjectEvaluation,
  parseOutput,
} from './evaluate.js';
import { findUpward } from './find-project.js';
import { escapeMSBuild, isMSBuildName, uniqueNames } from './msbuild-syntax.js';

/** Why a project of a solution could not be evaluated. */
export interface ProjectFailure {
  readonly project: string;
  /** Of MSBuild, where it gave one. */
  readonly code?: string;
  readonly message: string;
}

export interface SolutionEvaluation {
  readonly evaluations: readonly ProjectEvaluation[];
  readonly failures: readonly ProjectFailure[];
}

/** Metadata that tells collected items apart, and the prefix of a property's value. */
const PROJECT = 'MortiseProject';
const FRAMEWORK = 'MortiseFramework';
const TYPE = 'MortiseType';
const VALUE = 'MortiseValue_';

/**
 * Evaluates all projects of a solution in one MSBuild process: a list project runs a target in each, which reports
 * what it was evaluated to. A broken project is one of the failures and spoils nothing.
 * @throws EvaluationFailed where MSBuild itself could not run
 */
export async function evaluateSolution(
  dotnet: DotnetCall,
  solution: string,
  projects: readonly string[],
  query: EvaluationQuery,
): Promise<SolutionEvaluation> {
  const missing = projects.filter((project) => !existsSync(project));
  const present = projects.filter((project) => !missing.includes(project));
  const { collected, run } = await collect(dotnet, solution, present, query);
  const evaluations: ProjectEvaluation[] = [];
  const failures = missing.map(
    (project) => ({ project, message: 'The project file does not exist.' }) as ProjectFailure,
  );
  for (const project of present) {
    const evaluation = assemble(project, collected.get(project) ?? []);
    const said = evaluation ? [] : failuresOf(project, run.output);
    if (evaluation) evaluations.push(evaluation);
    else if (said.length > 0) failures.push(...said);
    else await evaluateAlone(dotnet, project, query, evaluations, failures);
  }
  return { evaluations, failures };
}

async function collect(
  dotnet: DotnetCall,
  solution: string,
  projects: readonly string[],
  query: EvaluationQuery,
): Promise<{ collected: Map<string, Evaluation[]>; run: CommandRun }> {
  const folder = await mkdtemp(join(tmpdir(), 'mortise-solution-'));
  try {
    const [list, targets, result] = ['list.proj', 'collect.targets', 'result.json'].map((name) => join(folder, name));
    await writeFile(targets!, collectTargets(query));
    await writeFile(list!, listProject(projects, targets!));
    const response = findUpward(dirname(solution), 'Directory.Build.rsp');
    const args = [
      'msbuild',
      list!,
      '-nologo',
      '-t:Collect',
      '-getItem:Collected',
      '-getProperty:MSBuildProjectName,OS',
    ];
    const run = await dotnet([...args, `-getResultOutputFile:${result}`, ...(response ? [`@${response}`] : [])], {
      cwd: dirname(solution),
    });
    const printed = run.ending === 'exited' ? parseOutput(await readFile(result!, 'utf8').catch(() => '')) : undefined;
    if (!printed) throw new EvaluationFailed(solution, run);
    return { collected: groupByProject(printed.Items?.Collected ?? [], query), run };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One task for each project: MSBuild gives nothing of a task in which one of several projects is broken. */
function listProject(projects: readonly string[], targets: string): string {
  const hooks = ['CustomAfterMicrosoftCommonTargets', 'CustomAfterMicrosoftCommonCrossTargetingTargets'];
  const properties = hooks.map((hook) => `${hook}=${escapeMSBuild(targets)}`).join(';');
  return `<Project>
  <ItemGroup>
${projects.map((project) => `    <Listed Include="${escapeAttribute(escapeMSBuild(project))}" />`).join('\n')}
  </ItemGroup>
  <Target Name="Collect">
    <MSBuild Projects="%(Listed.Identity)" Targets="MortiseCollect" Properties="${escapeAttribute(properties)}"
        ContinueOnError="true" SkipNonexistentTargets="true">
      <Output TaskParameter="TargetOutputs" ItemName="Collected" />
    </MSBuild>
  </Target>
</Project>
`;
}

function collectTargets({ properties, itemTypes }: EvaluationQuery): string {
  const own = `${PROJECT}="$(MSBuildProjectFullPath)" ${FRAMEWORK}="$(TargetFramework)"`;
  const names = uniqueNames(['TargetFramework', 'TargetFrameworks', ...properties].filter(isMSBuildName));
  const values = names.map((name) => `${VALUE}${name}="$(${name})"`).join(' ');
  const types = uniqueNames(itemTypes.filter(isMSBuildName));
  return `<Project>
  <Target Name="MortiseCollect" Returns="@(MortiseCollected)" KeepDuplicateOutputs="true">
    <ItemGroup>
      <MortiseFrameworkToCollect Include="$(TargetFrameworks)" Condition="'$(TargetFramework)' == ''" />
      <MortiseCollected Include="evaluation" ${own} ${values} />
${types.map((type) => collectItems(type, own)).join('\n')}
    </ItemGroup>
    <MSBuild Projects="$(MSBuildProjectFullPath)" Targets="MortiseCollect" ContinueOnError="true"
        Properties="TargetFramework=%(MortiseFrameworkToCollect.Identity)"
        Condition="'@(MortiseFrameworkToCollect)' != ''">
      <Output TaskParameter="TargetOutputs" ItemName="MortiseCollected" />
    </MSBuild>
  </Target>
</Project>
`;
}

/** Of central versions only those of referenced packages: a large repository has hundreds, for each project. */
function collectItems(type: string, own: string): string {
  if (type !== 'PackageVersion') return `      <MortiseCollected Include="@(${type})" ${own} ${TYPE}="${type}" />`;
  return `      <MortiseUnused Include="@(PackageVersion)" Exclude="@(PackageReference)" />
      <MortiseUsed Include="@(PackageVersion)" Exclude="@(MortiseUnused)" />
      <MortiseCollected Include="@(MortiseUsed)" ${own} ${TYPE}="PackageVersion" />`;
}

/** Metadata that the MSBuild task adds. */
const TASK_METADATA = new Set(['MSBuildSourceProjectFile', 'MSBuildSourceTargetName', 'OriginalItemSpec']);

function groupByProject(
  printed: readonly Record<string, string>[],
  { itemTypes }: EvaluationQuery,
): Map<string, Evaluation[]> {
  const byProject = new Map<string, (Evaluation & { items: Record<string, ReturnType<typeof itemOf>[]> })[]>();
  for (const { [PROJECT]: project = '', [FRAMEWORK]: framework = '', [TYPE]: type, ...rest } of printed) {
    const evaluations = byProject.get(project) ?? [];
    byProject.set(project, evaluations);
    if (type === undefined) {
      const values = Object.entries(rest).filter(([name]) => name.startsWith(VALUE));
      evaluations.push({
        framework,
        properties: Object.fromEntries(values.map(([name, value]) => [name.slice(VALUE.length), value])),
        items: Object.fromEntries(itemTypes.map((one) => [one, []])),
      });
      continue;
    }
    const { FullPath: _, ...own } = Object.fromEntries(
      Object.entries(rest).filter(([name]) => !TASK_METADATA.has(name)),
    );
    const evaluation = evaluations.find((one) => one.framework === framework);
    evaluation?.items[type]?.push(itemOf(own as Record<string, string>, dirname(project)));
  }
  return byProject;
}

/** The evaluation of a project, where all its frameworks were collected. */
function assemble(project: string, collected: readonly Evaluation[]): ProjectEvaluation | undefined {
  const [outer] = collected;
  if (!outer) return undefined;
  const frameworks = innerFrameworks(outer);
  if (frameworks.length === 0) return { project, outer, inner: [outer] };
  const inner = frameworks.flatMap((framework) => collected.slice(1).find((one) => one.framework === framework) ?? []);
  return inner.length === frameworks.length ? { project, outer, inner } : undefined;
}

/** A project without the common targets has no target to run: it is asked directly. */
async function evaluateAlone(
  dotnet: DotnetCall,
  project: string,
  query: EvaluationQuery,
  evaluations: ProjectEvaluation[],
  failures: ProjectFailure[],
): Promise<void> {
  try {
    evaluations.push(await evaluateProject(dotnet, project, query));
  } catch (error) {
    if (!(error instanceof EvaluationFailed) || error.run.ending !== 'exited') throw error;
    const said = failuresOf(project, error.run.output);
    failures.push(...(said.length > 0 ? said : [{ project, message: 'MSBuild cannot evaluate the project.' }]));
  }
}

const DIAGNOSTIC = /^(.*?)(?:\([\d,]+\))?\s*: error(?: ([A-Z]+\d+))?\s*: (.*?)(?: \[([^\]]+)\])?$/gm;

/** The errors that the output has for a project; those without a code only where there are no others. */
function failuresOf(project: string, output: string): ProjectFailure[] {
  const found = [...output.matchAll(DIAGNOSTIC)]
    .filter(([, file, , , suffix]) => (suffix?.split('::')[0] ?? file) === project)
    .map(([, , code, message]) => ({ project, ...(code && { code }), message: message!.trim() }));
  const coded = found.filter(({ code }) => code !== undefined);
  return coded.length > 0 ? coded : found;
}
