import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasSdk } from '../../packages/dotnet/test/sdk.js';
import { ROOT, type Workplace } from './workplace.js';

export const PLUGIN_HOST = join(ROOT, 'packages/server/plugin-host');

/** The C# plugins of `test/csharp-plugins`, built. */
export interface CsharpPlugins {
  /** The output of a project. */
  output(project: string): string;
  /** Copies the output of a project into the plugins folder, or a folder in it. */
  install(workplace: Workplace, project: string, folder?: string): string;
  remove(): void;
}

/** One build for all of them, and for the host where it is not built yet. @throws Error with what the build printed */
export function buildCsharpPlugins(): CsharpPlugins {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-csharp-'));
  if (!hasSdk) return { output: String, install: String, remove() {} };
  run(process.execPath, [join(ROOT, 'scripts/build-plugin-host.mjs'), '--required']);
  cpSync(join(ROOT, 'test/csharp-plugins'), folder, { recursive: true });
  run('dotnet', [
    'build',
    join(folder, 'Plugins.slnx'),
    '--nologo',
    '--verbosity',
    'quiet',
    `-p:PluginHost=${PLUGIN_HOST}`,
  ]);
  const output = (project: string) => {
    const debug = join(folder, project, 'bin/Debug');
    return join(debug, readdirSync(debug)[0]!);
  };
  return {
    output,
    install(workplace, project, name = '') {
      const target = join(workplace.folder, 'plugins', name);
      mkdirSync(target, { recursive: true });
      cpSync(output(project), target, { recursive: true });
      return target;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function run(command: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
}
