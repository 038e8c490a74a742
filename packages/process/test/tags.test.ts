import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { createProcessTag, killTagged, PROCESS_TAG_VARIABLE } from '../src/tags.js';
import { isAlive, start } from './processes.js';

const before = process.env[PROCESS_TAG_VARIABLE];
afterEach(() => {
  if (before === undefined) delete process.env[PROCESS_TAG_VARIABLE];
  else process.env[PROCESS_TAG_VARIABLE] = before;
});

describe('a process tag', () => {
  it('is a word of its own, behind those of the servers around it', () => {
    delete process.env[PROCESS_TAG_VARIABLE];
    const outer = createProcessTag();
    expect(outer.tag).toMatch(/^[0-9a-f]{24}$/);
    expect(outer.environment).toEqual({ [PROCESS_TAG_VARIABLE]: outer.tag });
    Object.assign(process.env, outer.environment);
    const inner = createProcessTag();
    expect(inner.environment).toEqual({ [PROCESS_TAG_VARIABLE]: `${outer.tag} ${inner.tag}` });
  });

  it.skipIf(process.platform !== 'linux')('finds the processes to kill, whatever group they are in', async () => {
    const [one, two, other] = [createProcessTag(), createProcessTag(), createProcessTag()];
    const script = "console.log('up'); setInterval(() => {}, 1000)";
    const children = [one, one, two, other].map(({ environment }) => start(script, environment));
    await Promise.all(children.map((child) => once(child.stdout!, 'data')));
    await killTagged(one.tag, two.tag);
    expect(children.map(({ pid }) => isAlive(pid!))).toEqual([false, false, false, true]);
  });

  it('finds nothing where there is none', async () => {
    const bystander = start('setInterval(() => {}, 1000)');
    await killTagged();
    expect(isAlive(bystander.pid!)).toBe(true);
  });
});
