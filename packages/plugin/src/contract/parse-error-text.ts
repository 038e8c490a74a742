import type { ErrorResult, RecommendedAction } from '../error-response.js';

/** The parts of an error's text (docs/spec/contract.md#error-text). */
export interface ErrorText extends Pick<ErrorResult, 'code' | 'message' | 'hint' | 'documentationUrl'> {
  readonly recommendedAction?: RecommendedAction;
  readonly exitCode?: number;
}

/** Parses the text of an error. Returns undefined if the text does not begin with `Error:` and a code. */
export function parseErrorText(text: string): ErrorText | undefined {
  const start = /^Error: ([\s\S]*?)\nCode: (\S+)$/m.exec(text);
  if (start?.index !== 0) return undefined;
  const [, message = '', code = ''] = start;
  const lineOf = (label: string) => new RegExp(`^${label}: (.+)$`, 'm').exec(text)?.[1];
  const hint = lineOf('Hint');
  const documentationUrl = lineOf('Docs');
  const exitCode = /^Exit Code: (-?\d+)$/m.exec(text)?.[1];
  const recommendedAction = actionIn(lineOf('Next'));
  return {
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(documentationUrl !== undefined && { documentationUrl }),
    ...(recommendedAction && { recommendedAction }),
    ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
  };
}

/**
 * Reads the line of the next action. `Restore it. dotnet_project {"action":"Restore"}` is a call; anything else is a
 * step for a person.
 */
function actionIn(line: string | undefined): RecommendedAction | undefined {
  if (line === undefined) return undefined;
  const [, description = line, toolName, json] = /^(.*?) ?([A-Za-z][\w.-]*) (\{.*\})$/.exec(line) ?? [];
  const args = json === undefined ? undefined : parseArguments(json);
  if (toolName === undefined || args === undefined) return { actionKind: 'ManualStep', description: line };
  return { actionKind: 'CallTool', description, toolName, arguments: args };
}

function parseArguments(json: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
