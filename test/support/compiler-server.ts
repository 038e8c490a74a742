import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compilersOf } from './end-compiler-servers.js';

/** The variables that name it to projects. A test that is about compiler servers takes `CustomBeforeMicrosoftCommonProps` away. */
interface CompilerServer {
  TEST_COMPILER_SERVER: string;
  CustomBeforeMicrosoftCommonProps: string;
}

let started: CompilerServer | undefined;

/**
 * One compiler server for all projects that this process builds. Each Mortise server would start its own otherwise; to start one and
 * to compile for the first time takes about one second of processor time.
 */
export function compilerServer(): CompilerServer {
  started ??= start();
  return started;
}

function start(): CompilerServer {
  const name = `${compilersOf(process.ppid)}${randomBytes(12).toString('hex')}`;
  // `10.0.401 [/usr/share/dotnet/sdk]`
  const list = (spawnSync('dotnet', ['--list-sdks'], { encoding: 'utf8' }).stdout ?? '').trim().split('\n');
  const [, version = '', folder = ''] = /^(\S+) \[(.*)\]$/.exec(list.at(-1)!) ?? [];
  const program = join(folder, version, 'Roslyn/bincore/VBCSCompiler.dll');
  if (existsSync(program)) {
    const env = { ...process.env, TEST_COMPILER_SERVER: name };
    spawn('dotnet', [program, `-pipename:${name}`], { stdio: 'ignore', env }).unref();
  }
  const props = fileURLToPath(new URL('./compiler-server.props', import.meta.url));
  return { TEST_COMPILER_SERVER: name, CustomBeforeMicrosoftCommonProps: props };
}
