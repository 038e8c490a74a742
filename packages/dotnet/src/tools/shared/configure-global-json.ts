import { type ActionContext, type ActionResult, changed } from '../../actions/action.js';
import { InvalidParameterError, missingParameter } from '../../actions/invalid-parameter.js';
import type { Arguments } from '../../actions/parameters.js';
import { configureGlobalJson as configure, ROLL_FORWARD } from '../../project-files/global-json.js';

/** ConfigureGlobalJson needs something to configure, and values that the CLI knows. */
export function checkGlobalJson({ sdkVersion, rollForward, testRunner }: Arguments): void {
  if (sdkVersion === undefined && rollForward === undefined && testRunner === undefined)
    throw missingParameter('sdkVersion');
  if (rollForward !== undefined && !(ROLL_FORWARD as readonly string[]).includes(rollForward.trim()))
    throw new InvalidParameterError(
      'rollForward',
      'invalid value',
      `Parameter 'rollForward' must be one of ${ROLL_FORWARD.join(', ')}`,
      {
        providedValue: rollForward,
      },
    );
  if (sdkVersion !== undefined && !/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(sdkVersion.trim()))
    throw new InvalidParameterError('sdkVersion', 'invalid format', "Parameter 'sdkVersion' is not an SDK version", {
      providedValue: sdkVersion,
      hint: 'Write a full version, for example 10.0.100.',
    });
}

/** The file to configure. */
export function globalJsonFile({ args, resolve }: ActionContext): string {
  return resolve(args.globalJsonPath ?? 'global.json');
}

export async function configureGlobalJson(call: ActionContext): Promise<ActionResult> {
  const { sdkVersion, rollForward, testRunner } = call.args;
  const path = globalJsonFile(call);
  const {
    text,
    isNew: created,
    changed: isChanged,
  } = await configure(path, {
    ...(sdkVersion !== undefined && { sdkVersion: sdkVersion.trim() }),
    ...(rollForward !== undefined && { rollForward: rollForward.trim() }),
    ...(testRunner !== undefined && { testRunner: testRunner.trim() }),
  });
  const summary = created
    ? `Created '${path}' successfully.`
    : isChanged
      ? `Updated '${path}' successfully.`
      : `'${path}' already has this value.`;
  return changed(summary, { ...(!isChanged && { changed: false }), path }, { text: `${summary}\n${text}` });
}
