import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { connect } from '../support/clients.js';
import { pluginsOf } from '../support/observe.js';
import { BIN, createWorkplace, type Workplace } from '../support/workplace.js';

const run = promisify(execFile);
/** Plugins, a mounted server, and their pins as a Mortise wrote them that pinned tools alone. */
const PINNED = fileURLToPath(new URL('fixtures/pinned', import.meta.url));

function makePinnedWorkplace(OnChange: string): Workplace {
  const workplace = createWorkplace();
  cpSync(PINNED, workplace.folder, { recursive: true });
  const settings = JSON.parse(readFileSync(workplace.config, 'utf8'));
  const bank = { command: process.execPath, args: [join(workplace.folder, 'bank.mjs')] };
  Object.assign(settings.Plugins, { OnChange, LoadTimeoutMs: 60_000, McpServers: { bank } });
  writeFileSync(workplace.config, JSON.stringify(settings));
  return workplace;
}

const PINS = ['PLUGIN_DEFINITION_CHANGED', 'NAME_PINNED'];

/** What is wrong with the pins, by a server of its own; it has written what it pins by then. */
async function pinProblems(workplace: Workplace) {
  const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
  const plugins = await pluginsOf(client);
  await client.close();
  return plugins.flatMap(({ name, problems }) =>
    problems
      .filter(({ code }) => PINS.includes(code))
      .map(({ code, message, hint }) => ({ name, code, message, hint })),
  );
}

const pinsIn = ({ folder }: Workplace) =>
  JSON.parse(readFileSync(join(folder, 'mortise.lock.json'), 'utf8')).plugins as Record<string, Record<string, object>>;

describe.each(['warn', 'refuse'])(
  'a pin file that was written before resources were pinned, with OnChange %s,',
  (OnChange) => {
    it('reports nothing as changed, and holds everything from then on', async () => {
      const workplace = makePinnedWorkplace(OnChange);
      expect(Object.keys(pinsIn(workplace)['./plugins/notes.mjs']!)).toEqual(['tools']);
      expect(await pinProblems(workplace)).toEqual([]);
      await expect
        .poll(() => Object.keys(pinsIn(workplace)['./plugins/notes.mjs']!))
        .toEqual(['file', 'tools', 'resources', 'prompts']);
      expect(Object.keys(pinsIn(workplace)['./plugins/notes.mjs']!.resources!)).toEqual([
        'notes://today',
        'notes://{day}',
      ]);
      expect(Object.keys(pinsIn(workplace)['mcp.bank']!.prompts!)).toEqual(['mcp.bank.report']);
      expect(await pinProblems(workplace)).toEqual([]);
    }, 240_000);

    it('gives no name to another plugin without trust, and says by which command', async () => {
      const workplace = makePinnedWorkplace(OnChange);
      cpSync(join(workplace.folder, 'plugins/greeting.mjs'), join(workplace.folder, 'plugins/aaa.mjs'));
      rmSync(join(workplace.folder, 'plugins/greeting.mjs'));
      const [problem, ...others] = await pinProblems(workplace);
      expect(others).toEqual([]);
      expect(problem).toMatchObject({
        name: 'aaa',
        code: 'NAME_PINNED',
        message:
          "The tool 'greeting' of ./plugins/aaa.mjs is refused: the name is pinned to ./plugins/greeting.mjs, which no longer exists",
        hint: expect.stringContaining(`\`mortise trust aaa --config "${workplace.config}"\``),
      });
      const { folder, env, config } = workplace;
      await run(process.execPath, [BIN, 'trust', 'aaa', '--config', config], { cwd: folder, env });
      expect(await pinProblems(workplace)).toEqual([]);
      expect(existsSync(join(folder, 'plugins/greeting.mjs'))).toBe(false);
      const { stdout } = await run(
        process.execPath,
        [BIN, 'call', 'greeting', '--arg', 'person=Ada', '--config', config],
        {
          cwd: folder,
          env,
        },
      );
      expect(stdout).toContain('Hello, Ada!');
    }, 240_000);
  },
);
