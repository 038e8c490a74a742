import type { Action } from '../../actions/action.js';
import { options } from '../../actions/cli-action.js';
import { logStart } from '../../actions/run-action.js';
import { assertRunnable } from './assert-runnable.js';
import { overridingLaunchProfile } from './environment.js';
import { appArguments } from './run.js';
import { startSession } from './sessions.js';

/** Watch always runs in the background until it is stopped (docs/spec/dotnet-tools.md#watch). */
export const watchAction: Action = {
  required: ['watchAction'],
  optional: [
    'project',
    'configuration',
    'framework',
    'filter',
    'noHotReload',
    'launchProfile',
    'appArgs',
    'startMode',
    'environment',
  ],
  isReadOnly: false,
  execute: (call) => {
    const { args } = call;
    const command = args.watchAction!.toLowerCase();
    if (command === 'run') assertRunnable(call);
    logStart('watch', call);
    return startSession(call, {
      kind: 'watch',
      args: [
        'watch',
        ...options(['--project', args.project], ['--no-hot-reload', args.noHotReload]),
        '--non-interactive',
        command,
        ...options(
          ['-c', args.configuration],
          ['-f', args.framework],
          ['--launch-profile', command === 'run' && args.launchProfile],
          ['--filter', command === 'test' && args.filter],
        ),
        ...(command === 'run' ? [...overridingLaunchProfile(call), ...appArguments(args)] : []),
      ],
    });
  },
};
