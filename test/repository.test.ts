import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './support/workplace.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const json = (path: string) => JSON.parse(read(path));
/** Those that are published. */
const PACKAGES: readonly string[] = json('package.json').workspaces;
const WORKFLOWS = readdirSync(join(ROOT, '.github/workflows'));

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

/** The steps of all jobs, in their order. */
function stepsOf(workflow: string): Step[] {
  const { jobs } = parse(read(`.github/workflows/${workflow}`)) as { jobs: Record<string, { steps: Step[] }> };
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

/** What a command of a workflow needs, and whether it is there. */
const COMMANDS: readonly (readonly [form: RegExp, exists: (...parts: string[]) => boolean])[] = [
  [/^npm ci$/, () => existsSync(join(ROOT, 'package-lock.json'))],
  [/^npm ci --prefix (\S+)$/, (folder) => existsSync(join(ROOT, folder!, 'package-lock.json'))],
  [
    /^npm (?:run (\S+)|(test))(?: -- --shard=\$\{\{ matrix\.shard \}\}\/2)?$/,
    (script, test) => (script ?? test)! in json('package.json').scripts,
  ],
  [/^npm pack --workspaces --ignore-scripts --pack-destination (\S+)$/, isMade],
  [/^npm install --prefix (\S+) \.\/(\S+)\/\*\.tgz$/, (...folders) => folders.every(isMade)],
  [
    /^npm publish --workspaces --access public --provenance$/,
    () => PACKAGES.every((folder) => !json(`${folder}/package.json`).private),
  ],
  [/^dotnet pack (\S+) --output (\S+)$/, (project, folder) => existsSync(join(ROOT, project!)) && isMade(folder)],
  [/^dotnet nuget push (\S+)\/\*\.nupkg --source https:\S+ --api-key "\$NUGET_API_KEY" --skip-duplicate$/, isMade],
  [/^mkdir \S+(?: \S+)*$/, () => true],
  [/^node consumer\/node_modules\/mortise\/(\S+) (?:new|call) /, (file) => Object.values(bins()).includes(file!)],
];

/** Whether a step before makes the folder. */
function isMade(folder: string | undefined): boolean {
  const runs = WORKFLOWS.flatMap(stepsOf).map(({ run = '' }) => run);
  return runs.some((run) => run.startsWith('mkdir ') && run.split(' ').includes(folder!));
}

const bins = (): Record<string, string> => json('packages/server/package.json').bin;

describe.each(WORKFLOWS)('the workflow %s', (workflow) => {
  const steps = stepsOf(workflow);

  it('uses actions by their commit', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  });

  it('runs only commands that are there', () => {
    const missing = steps
      .flatMap(({ run }) => run ?? [])
      .filter((run) => {
        const [form, exists] = COMMANDS.find(([item]) => item.test(run)) ?? [];
        return form === undefined || !exists!(...form.exec(run)!.slice(1));
      });
    expect(missing).toEqual([]);
  });
});

it.each(readdirSync(join(ROOT, '.github/ISSUE_TEMPLATE')))('the template %s is YAML', (name) => {
  expect(parse(read(`.github/ISSUE_TEMPLATE/${name}`))).toBeTypeOf('object');
});

describe.each(PACKAGES)('%s', (folder) => {
  const manifest = json(`${folder}/package.json`);

  it('says what it is, under which licence, and what it runs on', () => {
    const { description, license, keywords, engines, version } = manifest;
    expect({ license, engines, version }).toEqual({
      license: 'MIT',
      engines: { node: '>=20.19' },
      version: json('package.json').version,
    });
    expect(description.length).toBeGreaterThan(20);
    expect(keywords.length).toBeGreaterThan(2);
    expect(read(`${folder}/LICENSE`)).toBe(read('LICENSE'));
    expect(read(`${folder}/README.md`)).toContain(manifest.name);
  });

  it('runs nothing when it is installed', () => {
    const scripts = Object.keys(manifest.scripts ?? {});
    expect(scripts.filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([]);
  });

  it('has source maps with their sources', () => {
    const files = readdirSync(join(ROOT, folder, 'dist')).filter((name) => name.endsWith('.js'));
    // A module that only imports others has no source.
    expect(files.flatMap((file) => json(`${folder}/dist/${file}.map`).sourcesContent).join('')).not.toBe('');
    for (const file of files) expect(read(`${folder}/dist/${file}`)).toContain(`//# sourceMappingURL=${file}.map`);
  });
});
