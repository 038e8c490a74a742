import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { killTagged } from '@mortise/process';
import type { Diagnostic } from '../../../src/diagnostics/parse/diagnostic.js';
import { parseDiagnostics } from '../../../src/diagnostics/parse/parse-diagnostics.js';
import { commandEnvironment } from '../../../src/process/command-environment.js';
import type { Command, ProvokingBuild } from './build.js';

/** What commands run with, beside the environment of the test. */
const ENVIRONMENT = {
  ...commandEnvironment({}),
  MSBUILDDISABLENODEREUSE: '1',
  UseSharedCompilation: 'true',
  // Packages that the user has must not satisfy what a build is to miss.
  NUGET_FALLBACK_PACKAGES: '',
  // A compiler server of our own: starting the compiler takes longer than what it does here.
  SharedCompilationId: randomBytes(12).toString('hex'),
};

/** Ends what the builds left behind. */
export const endCompilers = () => killTagged(ENVIRONMENT.SharedCompilationId);

export interface BuildTarget {
  /** Empty; the files of the build are written there. */
  readonly folder: string;
  /** For `{audit}` in files: the address of the audit server. */
  readonly audit: string;
  /** Where packages are; default: in the folder, or for a build that uses the ordinary source, where the user has them. */
  readonly packages?: string;
}

/** The messages of the codes that a build provoked, in the place that belongs to each. */
export async function provokedBy(build: ProvokingBuild, target: BuildTarget): Promise<Map<string, string>> {
  const diagnostics = await provokedDiagnostics(build, target);
  return new Map([...diagnostics].map(([code, { message }]) => [code, neutral(message, target.folder, target.audit)]));
}

/** The first diagnostic of each code that a build provoked. */
export async function provokedDiagnostics(
  build: ProvokingBuild,
  { folder, audit, packages = join(folder, '.packages') }: BuildTarget,
): Promise<Map<string, Diagnostic>> {
  for (const [path, content] of Object.entries(build.files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content.replaceAll('{audit}', audit) : content);
  }
  const own: Record<string, string> = build.usesOrdinarySource
    ? {}
    : // Of its sources none comes back: they are asked again without a pause.
      { NUGET_PACKAGES: packages, NUGET_ENHANCED_NETWORK_RETRY_DELAY_MILLISECONDS: '1' };
  const found = new Map<string, Diagnostic>();
  for (const command of build.commands) {
    const output = await dotnet(command, folder, own);
    for (const diagnostic of parseDiagnostics(output).diagnostics) {
      const code = command.code === diagnostic.code ? diagnostic.code : codeOfLocation(diagnostic, build);
      if (code !== undefined && !found.has(code)) found.set(code, diagnostic);
    }
  }
  return found;
}

async function dotnet({ args, cwd = '.', env }: Command, folder: string, own: Record<string, string>): Promise<string> {
  const environment = Object.entries(env ?? {}).map(([name, value]) => [name, value.replaceAll('{root}', folder)]);
  const child = spawn('dotnet', args, {
    cwd: join(folder, cwd),
    env: { ...process.env, ...ENVIRONMENT, ...own, ...Object.fromEntries(environment) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const buildReader: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => buildReader.push(chunk));
  await once(child, 'close');
  return Buffer.concat(buildReader).toString('utf8');
}

/** The code of a diagnostic, where its file or one of its projects is named after it or is in its folder. */
function codeOfLocation({ code, file = '', projects }: Diagnostic, { codes }: ProvokingBuild): string | undefined {
  const names = [file, ...projects].flatMap((path) => path.split('/').map((part) => part.replace(/\.\w+$/, '')));
  return codes.includes(code) && names.includes(code) ? code : undefined;
}

/** A message without what differs from machine to machine. */
function neutral(message: string, folder: string, audit: string): string {
  return message
    .replaceAll(folder, '/src')
    .replaceAll(audit, 'http://127.0.0.1:8080')
    .replaceAll(/\/[^\s"]*\/MSBuildTemp\w*\//g, '/tmp/MSBuildTemp/')
    .replaceAll(/\b\w{8}\.\w{3}~/g, 'temporary~')
    .replaceAll(/\/[^\s"]*(?=\/sdk\/\d+\.)/g, '/usr/share/dotnet');
}
