import { dirname, join, relative, sep } from 'node:path';
import { type Action, type ActionContext, type ActionResult, changed } from '../../actions/action.js';
import { sourceFile } from '../../actions/checks.js';
import { type CliAction, options, runCli } from '../../actions/cli-action.js';
import { projectName } from '../../project-files/find-project.js';
import { filesBelow } from '../../project-files/readable-files.js';
import { nextLine } from '../shared/suggest-restore.js';
import { nextForNew } from './new.js';

/** Matches the files that `--dry-run` lists: copies of sources, and the project. */
const WOULD_MAKE = /^Dry run: would (?:copy file '.+' to '(.+)'\.|create file: (.+))$/gm;

/** The hints for messages of the CLI about wrong arguments (SDK 10). */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/^The target directory already exists/m, 'Give as output a folder that does not exist yet.'],
  [/^The specified file must exist/m, 'Give the path of a C# file that exists.'],
];

const adviceFor: CliAction['advice'] = ({ output }) => {
  const hint = HINTS.find(([message]) => message.test(output))?.[1];
  return hint === undefined ? undefined : { hint };
};

/** Creates a project from a C# file in a new folder (docs/spec/dotnet-tools.md#convert). */
async function convert(call: ActionContext): Promise<ActionResult> {
  const { project, output, dryRun } = call.args;
  const source = call.resolve(project!);
  const folder = output === undefined ? join(dirname(source), projectName(source)) : call.resolve(output);
  const commandArgs = () => ['project', 'convert', project!, ...options(['-o', output], ['--dry-run', dryRun])];
  const { command, stdout } = await runCli({ label: 'Convert', commandArgs, advice: adviceFor }, call);
  const planned = [...stdout.replaceAll('\r', '').matchAll(WOULD_MAKE)].map(([, copy, file]) => (copy ?? file)!);
  const created = dryRun ? [...new Set(planned)] : filesBelow(folder, () => true);
  const createdFiles = created.map((path) => relative(folder, path).split(sep).join('/')).sort();
  const recommendedAction = dryRun ? undefined : nextForNew(call, created);
  const summary = dryRun
    ? `Dry run: ${project} would become a project in ${folder}`
    : `Converted ${project} to a project in ${folder}; the file remains`;
  return changed(
    summary,
    {
      ...{ ...(dryRun && { changed: false }), outputPath: folder, createdFiles },
      ...(recommendedAction && { recommendedAction }),
    },
    {
      text: [summary, ...createdFiles, ...(recommendedAction ? [nextLine(recommendedAction)] : [])].join('\n'),
      command,
    },
  );
}

export const convertAction: Action = {
  required: ['project'],
  optional: ['output', 'dryRun'],
  checks: { project: sourceFile },
  isReadOnly: false,
  execute: convert,
};
