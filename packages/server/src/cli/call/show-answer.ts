import { basename } from 'node:path';
import type { PluginProblem } from '@mortise/plugin/runtime';
import type { CallAnswer } from '../../core/server-api.js';
import { sentence } from '../../util/sentence.js';
import { CliError } from '../shared/cli-error.js';
import type { ExitStatus } from '../shared/exit-codes.js';
import { issueText, settingsWarning } from '../shared/issue.js';
import type { OpenServer } from '../shared/open-server.js';
import type { Terminal } from '../shared/terminal.js';
import { writeParts } from './out-folder.js';
import { envelopeText, resultText } from './result-text.js';
import { saveWholeOutput } from './whole-output.js';

/** Prints the answer to a call of the tool `name`. @throws CliError if there is no result */
export async function showAnswer(
  answer: CallAnswer,
  { name, isStructured, outFolder }: { name: string; isStructured: boolean; outFolder?: string | undefined },
  open: OpenServer,
  terminal: Terminal,
): Promise<ExitStatus> {
  switch (answer.kind) {
    case 'result':
    case 'cancelled': {
      const { result } = answer;
      const savedOutput = await saveWholeOutput(result, open.server);
      const fileOf = writeParts(result.content, outFolder, terminal);
      if (isStructured) terminal.out(JSON.stringify(result.structuredContent ?? null, null, 2));
      else
        terminal.out(
          open.server.settings.Tools.MachineReadable
            ? envelopeText(result)
            : savedOutput.inText(resultText(result, fileOf)),
        );
      if (savedOutput.file !== undefined) terminal.err(`The whole output is in ${savedOutput.file}`);
      if (answer.kind === 'cancelled') return 'cancelled';
      return result.isError ? 'failed' : 'ok';
    }
    case 'unknown_tool':
      for (const warning of open.loaded.warnings) terminal.err(issueText(settingsWarning(warning), terminal.style));
      throw new CliError('notFound', open.server.redact(unknownTool(name, answer, ignoredFolder(name, open))));
    case 'error': {
      const { hint } = answer.data ?? {};
      throw new CliError('failed', { message: answer.message, ...(typeof hint === 'string' && { hint }) });
    }
    case 'input_required':
    case 'missing_capability':
      throw new CliError('failed', { message: `${name} needs an answer that a command line cannot give.` });
  }
}

/** Returns the problem of an ignored folder with the tool's name: its author may believe that it is a plugin. */
function ignoredFolder(name: string, { server }: Pick<OpenServer, 'server'>): PluginProblem | undefined {
  return server
    .problems()
    .find(({ code, location }) => code === 'PLUGIN_FOLDER_IGNORED' && basename(location.file) === name);
}

function unknownTool(
  name: string,
  { suggestions, refusal, notLoaded }: Extract<CallAnswer, { kind: 'unknown_tool' }>,
  ignored: PluginProblem | undefined,
) {
  const problem = refusal ?? ignored;
  if (problem) return { message: `There is no tool '${name}': ${sentence(problem.message)}`, hint: problem.hint };
  const hint = suggestions.length > 0 ? `Did you mean ${suggestions.join(' or ')}?` : 'See `mortise list`.';
  return { message: `There is no tool '${name}'.${notLoaded === undefined ? '' : ` ${notLoaded}`}`, hint };
}
