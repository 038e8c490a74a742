import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STYLES } from '../packages/server/src/cli/new/scaffold.js';
import { COMMANDS } from '../packages/server/src/cli/program.js';
import { loadSettings } from '../packages/server/src/settings/load.js';
import { createQuickWorkplace, runMortise, withoutIsolation } from '../packages/server/test/cli/run-mortise.js';
import { createWorkplace, linkContract, ROOT } from './support/workplace.js';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

describe('README', () => {
  it('begins with the two commands, and CI runs them', () => {
    expect(
      blocks('sh')[0]
        ?.split('\n')
        .map((line) => line.split('#')[0]!.trim()),
    ).toEqual(['npm ci && npm run demo', 'npm ci && npm test', '']);
    const ci = readFileSync(join(ROOT, '.ci/run'), 'utf8');
    expect(ci).toContain('npm ci && npm run demo');
    expect(ci).toContain('npm test');
  });

  it('shows plugins that answer calls', async () => {
    const [greeting = '', dice = ''] = blocks('js');
    const workplace = createQuickWorkplace({ 'plugins/greeting.mjs': greeting, 'plugins/dice.js': dice });
    linkContract(workplace);
    const call = async (...args: string[]) => (await runMortise(workplace, ['call', ...args])).stdout;
    expect(await call('greeting', '--arg', 'person=Ada')).toBe('Hello, Ada!\n');
    const { code, stdout } = await runMortise(workplace, ['list', 'greeting', '--json']);
    expect({ code, problems: JSON.parse(stdout).problems }).toEqual({ code: 0, problems: [] });
    expect(JSON.parse(await call('dice_roll', '--arg', 'sides=6')).rolled).toBeGreaterThan(0);
  });

  it('shows commands that work as they stand', async () => {
    const workplace = withoutIsolation(createWorkplace({ 'empty/.keep': '' }));
    linkContract(workplace);
    const [, commands = ''] = blocks('sh');
    const lines = commands
      .split('\n')
      .map((line) => line.split('#')[0]!.trim())
      .filter((line) => line !== '');
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const [npx, mortise, ...args] = line.split(/\s+/);
      expect([npx, mortise]).toEqual(['npx', 'mortise']);
      const { code, stderr, stdout } = await runMortise(workplace, args, { cwd: join(workplace.folder, 'empty') });
      expect(code, `${line}\n${stdout}${stderr}`).toBe(0);
    }
  });

  it('lists every command', () => {
    for (const name of Object.keys(COMMANDS)) expect(readme).toContain(`| \`mortise ${name}`);
  });

  it('lists every style of mortise new', () => {
    const [line = ''] = /^\| `mortise new .*$/m.exec(readme) ?? [];
    for (const style of STYLES) expect(line).toMatch(new RegExp(`[\` ]${style}\``));
  });

  it('links to files that exist', () => {
    const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name));
    expect(pages.length).toBeGreaterThan(300);
    for (const file of ['README.md', 'ARCHITECTURE.md', ...pages]) {
      const text = readFileSync(join(ROOT, file), 'utf8');
      for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)) {
        expect(() => readFileSync(join(ROOT, file, '..', target)), `${file} → ${target}`).not.toThrow();
      }
    }
  });
});

describe('the pages', () => {
  const pages = [
    'README.md',
    ...readdirSync(join(ROOT, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];

  it.each(pages)('%s names settings and codes that exist', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const settings = readFileSync(join(ROOT, 'docs/settings.md'), 'utf8');
    const codes = readFileSync(join(ROOT, 'docs/error-codes.md'), 'utf8');
    for (const [, name] of text.matchAll(/`((?:Plugins|Tools|Output|Http|Auth|Dotnet|Log)\.[A-Z]\w+)/g))
      expect(settings).toContain(`| \`${name}\``);
    for (const [code] of text.matchAll(/\b(?:PLUGIN|TOOL|OPERATION|CAPABILITY|CONCURRENCY|INVALID)_[A-Z_]+\b/g))
      expect(codes).toContain(`| \`${code}\``);
  });
});

describe('docs/mounted-servers.md', () => {
  it('shows settings that are valid', async () => {
    const page = readFileSync(join(ROOT, 'docs/mounted-servers.md'), 'utf8');
    const [, settings = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    const { config, folder } = createWorkplace({}, JSON.parse(settings));
    const env = { GITHUB_TOKEN: 'of-github', SEARCH_TOKEN: 'of-the-search' };
    const loaded = await loadSettings({ configPath: config, cwd: folder, env, userConfigDir: folder });
    expect(loaded.settings.Plugins.McpServers).toMatchObject({
      github: { command: 'npx', env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'of-github' } },
      search: { headers: { Authorization: 'Bearer of-the-search' } },
    });
    expect(loaded.secrets).toEqual(expect.arrayContaining(Object.values(env)));
  });
});
