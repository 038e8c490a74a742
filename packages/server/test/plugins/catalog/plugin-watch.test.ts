import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { PluginWatch } from '../../../src/plugins/catalog/plugin-watch.js';
import { makeTree } from '../../make-tree.js';

function open() {
  const warnings: object[] = [];
  let changes = 0;
  const log = { warn: (_: string, more: object) => warnings.push(more) } as never;
  const watch = new PluginWatch(log, () => {
    changes += 1;
  });
  onTestFinished(() => watch.close());
  return { watch, warnings, changes: () => changes };
}

it('tells of the changes of a moment once, in all folders below', async () => {
  const root = makeTree({ 'a/b/file': '', 'node_modules/x': '', '.hidden/x': '' });
  const { watch, changes } = open();
  watch.watch({ trees: [root] });
  for (let count = 0; count < 5; count++) writeFileSync(join(root, 'a/b/file'), `${count}`);
  await expect.poll(changes).toBe(1);
  writeFileSync(join(root, 'node_modules/x'), 'new');
  writeFileSync(join(root, '.hidden/x'), 'new');
  writeFileSync(join(root, 'a/c'), 'new');
  await expect.poll(changes).toBe(2);
});

it('says once which folders it cannot watch, however many they are', () => {
  const root = makeTree({ file: '' });
  const { watch, warnings } = open();
  const folders = Array.from({ length: 50 }, (_, index) => join(root, `gone-${index}`));
  watch.watch({ trees: [root], folders });
  watch.watch({ trees: [root], folders });
  expect(warnings).toEqual([
    {
      folders: 50,
      first: folders[0],
      error: expect.stringContaining('ENOENT'),
      hint: expect.stringContaining('builtin.operate'),
    },
  ]);
  mkdirSync(folders[0]!);
  watch.watch({ trees: [root], folders });
  expect(warnings).toMatchObject([{ folders: 50 }, { folders: 49, first: folders[1] }]);
});
