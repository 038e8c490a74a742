import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nupkg, type Package } from '../../packages/dotnet/test/diagnostics/provoked/nupkg.js';
import { realDotnet } from '../support/dotnet-program.js';
import type { Workplace } from '../support/workplace.js';
import { sdkEnvironment } from './sdk-server.js';

/** A configuration of NuGet whose only source is the folder feed of the test. */
export const LOCAL_SOURCE = source('<add key="local" value="feed" />');

/** The folder feed beside the ordinary source. */
export const LOCAL_AND_ORDINARY =
  '<configuration><packageSources><add key="local" value="feed" /></packageSources></configuration>';

/** A source that no one answers at. */
export const DEAD_SOURCE = '<add key="dead" value="http://127.0.0.1:9/index.json" allowInsecureConnections="true" />';

export function source(...entries: string[]): string {
  return `<configuration><packageSources><clear />${entries.join('')}</packageSources></configuration>`;
}

/** Puts packages without code into the folder `feed` of the workplace. */
export function addToFeed({ folder }: Workplace, packages: readonly Package[]): void {
  const feed = join(folder, 'feed');
  mkdirSync(feed, { recursive: true });
  for (const item of packages) writeFileSync(join(feed, `${item.id}.${item.version}.nupkg`), nupkg(item));
}

/** Packs projects into the folder `feed` of the workplace, each in each version: all in one process, and each is built once. */
export function packInto(workplace: Workplace, projects: readonly string[], versions: readonly string[]): void {
  // It is a source of the workplace, and a source that is not there fails a restore.
  mkdirSync(join(workplace.folder, 'feed'), { recursive: true });
  const pack = (version: string, index: number) => {
    const properties = [`PackageVersion=${version}`, `PackageOutputPath=${join(workplace.folder, 'feed')}`];
    if (index > 0) properties.push('NoBuild=true');
    return `<MSBuild Projects="${projects.join(';')}" Targets="Pack" Properties="${properties.join(';')}" />`;
  };
  const restore = `<Target Name="Restore"><MSBuild Projects="${projects.join(';')}" Targets="Restore" /></Target>`;
  const text = `<Project>${restore}<Target Name="Pack">${versions.map(pack).join('')}</Target></Project>`;
  const args = ['build', workplace.write('pack.proj', text), '-t:Pack', '-c', 'Release', '-v', 'q', '-nologo'];
  const env = { ...process.env, ...sdkEnvironment(workplace), UseSharedCompilation: 'true' };
  execFileSync(realDotnet(workplace.env.PATH)!, args, {
    cwd: workplace.folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
