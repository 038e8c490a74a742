import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { sealed } from '../packages/server/src/plugins/load/definition-cache.js';
import { createClient, stdioTransport } from './support/clients.js';
import { CAN_SEE_PROCESSES, processesOf } from './support/processes.js';
import { waitFor } from './support/wait-for.js';
import { createWorkplace, type Workplace } from './support/workplace.js';

/** Notes in the file `loads` that it is loaded. */
const plugin = (name: string, more = '') => `
  require('node:fs').appendFileSync('LOADS', '${name}\\n');
  const words = require('./${name === 'folder' ? 'words.js' : '_words.cjs'}');
  module.exports.register = (api) => {
    const tool = (name) => api.registerTool({ name, description: words, inputSchema: { type: 'object' }, run: () => words });
    tool('${name}');
    ${more}
  };`;

const FILES = {
  'plugins/single.cjs': plugin('single', `if (require('node:fs').existsSync('EXTRA')) tool('extra');`),
  'plugins/_words.cjs': `module.exports = 'old words';`,
  'plugins/folder/index.js': plugin('folder'),
  'plugins/folder/words.js': `module.exports = 'old words';`,
};
/** They are loaded at each start. */
const FAULTY_FILES = {
  'plugins/half.cjs': plugin('half', `tool('not a name');`),
  'plugins/broken.cjs': `require('node:fs').appendFileSync('LOADS', 'broken\\n'); throw new Error('boom');`,
};

const GOOD = ['folder', 'single'];
const FAULTY = ['broken', 'half'];
const NOTHING: string[] = [];

function createLoadingWorkplace(files: Record<string, string> = FILES): Workplace {
  const workplace = createWorkplace();
  for (const [path, text] of Object.entries(files)) {
    const inside = (name: string) => join(workplace.folder, name).replaceAll('\\', '\\\\');
    workplace.write(path, text.replaceAll('LOADS', inside('loads')).replaceAll('EXTRA', inside('extra')));
  }
  return workplace;
}

interface Seen {
  /** What was loaded while this server ran, sorted. */
  loadedPlugins: string[];
  tools: Record<string, string | undefined>;
}

/** One life of a server: what it lists, and which plugins it loaded for that and for `use`. */
async function live(workplace: Workplace, use: (client: Client) => Promise<unknown> = async () => {}): Promise<Seen> {
  writeFileSync(join(workplace.folder, 'loads'), '');
  const client = createClient('2025-11-25');
  await client.connect(stdioTransport(workplace));
  try {
    const { tools } = await client.listTools();
    await use(client);
    return {
      loadedPlugins: loadedPluginsOf(workplace),
      tools: Object.fromEntries(tools.map(({ name, description }) => [name, description])),
    };
  } finally {
    await client.close();
  }
}

function loadedPluginsOf({ folder }: Workplace): string[] {
  return readFileSync(join(folder, 'loads'), 'utf8').split('\n').filter(Boolean).sort();
}

const callSingle = (client: Client) => client.callTool({ name: 'single', arguments: {} });

/** The files of the cache, with their text. */
function cacheFiles({ folder }: Workplace): { file: string; text: string }[] {
  return readdirSync(join(folder, 'home'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, 'home', name))
    .filter((file) => /plugins-[0-9a-f]+\.json$/.test(file) && statSync(file).isFile())
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
}

describe('the remembered list', () => {
  it('spares a start the loading of what is as it was, but for plugins with problems', async () => {
    const workplace = createLoadingWorkplace({ ...FILES, ...FAULTY_FILES });
    const first = await live(workplace);
    expect(first.loadedPlugins).toEqual([...FAULTY, ...GOOD].sort());
    const second = await live(workplace, callSingle);
    expect(second).toEqual({ ...first, loadedPlugins: [...FAULTY, 'single'] });
  });

  it.runIf(CAN_SEE_PROCESSES)('is served without a process besides the server until a plugin is called', async () => {
    const workplace = createLoadingWorkplace();
    await live(workplace);
    await live(workplace, async (client) => {
      await client.callTool({ name: 'builtin.plugins', arguments: { action: 'List' } });
      // Longer than a spare process would take to be started.
      await delay(400);
      expect(processesOf(workplace)).toHaveLength(1);
      await callSingle(client);
      // Its process, the reaper, and from then on a spare.
      await expect.poll(() => processesOf(workplace)).toHaveLength(4);
    });
  });

  it('loads what has changed', async () => {
    const workplace = createLoadingWorkplace();
    const first = await live(workplace);

    workplace.write('plugins/folder/words.js', `module.exports = 'new words';`);
    const changed = await live(workplace);
    expect(changed.loadedPlugins).toEqual(['folder']);
    expect(changed.tools).toMatchObject({ folder: 'new words', single: 'old words' });

    workplace.write('plugins/_words.cjs', `module.exports = 'new words';`);
    expect(await live(workplace)).toMatchObject({
      loadedPlugins: ['single'],
      tools: { single: 'new words' },
    });
    workplace.write('plugins/folder/more.js', '');
    expect((await live(workplace)).loadedPlugins).toEqual(['folder']);

    const config = { Plugins: { Directory: 'plugins', Config: { other: true } } };
    workplace.write('appsettings.json', JSON.stringify(config));
    expect((await live(workplace)).loadedPlugins).toEqual(first.loadedPlugins);
    expect((await live(workplace)).loadedPlugins).toEqual(NOTHING);
  });

  it('gives way to the real one, which is remembered then', async () => {
    const workplace = createLoadingWorkplace();
    await live(workplace);
    workplace.write('extra', '');
    const seen = await live(workplace, async (client) => {
      const changed = new Promise<void>((resolve) => {
        client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
      });
      await callSingle(client);
      await changed;
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('extra');
    });
    expect(seen.tools).not.toHaveProperty('extra');
    expect(await live(workplace)).toMatchObject({ loadedPlugins: NOTHING, tools: { extra: 'old words' } });
  });

  it('is held against the contents of the files after the first answer', async () => {
    const workplace = createLoadingWorkplace();
    const [hash, wrong] = [/"hash":"[0-9a-f]{64}"/, '"hash":"0"'];
    const cached = () => cacheFiles(workplace)[0]?.text ?? '';
    await live(workplace, () => waitFor(() => hash.test(cached())));
    const [{ file, text }] = cacheFiles(workplace) as [{ file: string; text: string }];
    const { plugins } = JSON.parse(text.replace(hash, wrong));
    writeFileSync(file, sealed(plugins));
    const isReloaded = () => !cached().includes(wrong) && GOOD.every((name) => cached().includes(`"name":"${name}"`));
    const second = await live(workplace, () => waitFor(isReloaded));
    expect(second.loadedPlugins.filter((name) => GOOD.includes(name))).toHaveLength(1);
    expect((await live(workplace)).loadedPlugins).toEqual(NOTHING);
  });

  it('is made again when the cache holds anything else', async () => {
    const workplace = createLoadingWorkplace();
    const first = await live(workplace);
    // definition-cache.test.ts has more of them.
    for (const text of ['[["', '[1, null, ["a"], ["b", null], ["c", {"files": [], "stamp": ""}]]']) {
      for (const { file } of cacheFiles(workplace)) writeFileSync(file, text);
      expect(await live(workplace), text).toEqual(first);
    }
    expect((await live(workplace)).loadedPlugins).toEqual(NOTHING);
  });

  it('is shared by servers that run at once', async () => {
    const workplace = createLoadingWorkplace();
    const [one, other] = await Promise.all([live(workplace), live(workplace)]);
    expect(one!.tools).toEqual(other!.tools);
    expect(cacheFiles(workplace)).toHaveLength(1);
    expect(await live(workplace)).toEqual({ ...one, loadedPlugins: NOTHING });
  });
});
